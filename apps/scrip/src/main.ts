import { readSettings } from '@scrip/service';
import { DataDirectoryInUse } from './embedded-postgres/ownership';
import { runScrip } from './run-scrip';

const isExpected = (error: unknown): error is Error =>
  error instanceof DataDirectoryInUse || (error instanceof Error && error.name === 'ConfigurationError');

const explain = (error: unknown): string => {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return `${(error as Error).message}: another program uses the port; choose another one with SCRIP_PORT`;
  }
  if (isExpected(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

const main = async (): Promise<void> => {
  try {
    await runScrip(readSettings(process.env));
  } catch (error) {
    process.stderr.write(`Scrip does not start: ${explain(error)}\n`);
    process.exit(1);
  }
};

void main();
