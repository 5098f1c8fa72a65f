import { SealBroken } from '@scrip/kernel';
import { ConfigurationError } from '../config/environment';
import { boundHeapGrowth } from './heap-growth';

const explain = (error: unknown, expected: readonly (new (...args: never[]) => Error)[]): string => {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
    return `${(error as Error).message}: another program uses the port; choose another one with SCRIP_PORT, SCRIP_RPC_PORT or SCRIP_METRICS_PORT`;
  }
  if (error instanceof SealBroken)
    return `the database was made with another master key than SCRIP_MASTER_KEY and SCRIP_MASTER_KEYS_ACCEPTED hold (${error.message})`;
  if ([ConfigurationError, ...expected].some((kind) => error instanceof kind))
    return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

/** The start of a program: when `run` rejects, says why on stderr and ends the process with status 1. For `expected`
 *  errors and wrong configuration it prints only the message. */
export const runProgram = async (
  run: () => Promise<void>,
  expected: readonly (new (...args: never[]) => Error)[] = [],
): Promise<void> => {
  boundHeapGrowth();
  try {
    await run();
  } catch (error) {
    process.stderr.write(`Scrip does not start: ${explain(error, expected)}\n`);
    process.exit(1);
  }
};
