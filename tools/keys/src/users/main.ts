// npm run users: commands over the users of an installation, on DATABASE_URL or the PostgreSQL that runs on the data
// directory.
import { authContext } from '@scrip/auth';
import { embeddedEdge } from '@scrip/edge';
import { endWithUsage, openConsumers, readCommandLine } from '@scrip/service';
import { configOfInstallation } from '../installation';
import { isUserCommand, runUserCommand, userUsage } from './user-commands';

const main = async (): Promise<void> => {
  const { positionals } = readCommandLine(userUsage, {}, { words: true });
  if (!isUserCommand(positionals)) return endWithUsage(userUsage);
  const opened = await openConsumers({
    contexts: [authContext],
    config: configOfInstallation(),
    edge: embeddedEdge,
  });
  try {
    const { lines, isDone } = await runUserCommand(opened, positionals);
    process.stdout.write(`${lines.join('\n')}\n`);
    if (!isDone) process.exitCode = 1;
  } finally {
    await opened.close();
  }
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
