// npm run keys: commands over API keys and the master key, on DATABASE_URL or the PostgreSQL that runs on the data
// directory.
import { authContext } from '@scrip/auth';
import { allContexts } from '@scrip/contexts';
import { embeddedEdge } from '@scrip/edge';
import { type ScripConfig, endWithUsage, openConsumers, readCommandLine } from '@scrip/service';
import { type CommandEnd, isKeyCommand, runKeyCommand, usage } from './commands';
import { configOfInstallation } from './installation';
import { rewrap } from './rewrap';

const rewrapContexts = (config: ScripConfig, names: readonly string[]): Promise<CommandEnd> =>
  rewrap(
    allContexts.filter(({ name }) => names.length === 0 || names.includes(name)),
    config,
    (line) => process.stderr.write(`${line}\n`),
  );

const main = async (): Promise<void> => {
  const { values, positionals } = readCommandLine(
    usage,
    {
      project: { type: 'string' },
      kind: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string' },
      trust: { type: 'string' },
      allow: { type: 'string' },
      from: { type: 'string' },
      integration: { type: 'boolean' },
    },
    { words: true },
  );
  if (!isKeyCommand(positionals, values)) return endWithUsage(usage);
  const config = configOfInstallation();
  const show = ({ lines, isDone }: CommandEnd): void => {
    process.stdout.write(`${lines.join('\n')}\n`);
    if (!isDone) process.exitCode = 1;
  };
  const [command, ...names] = positionals;
  if (command === 'rewrap') return show(await rewrapContexts(config, names));
  const opened = await openConsumers({ contexts: [authContext], config, edge: embeddedEdge });
  try {
    show(await runKeyCommand(opened, positionals, values));
  } finally {
    await opened.close();
  }
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
