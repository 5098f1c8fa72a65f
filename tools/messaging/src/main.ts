// npm run messaging -- status | replay <group> [--topic <topic>] [--key <key>] | rebuild <group> | raise-epoch |
// relay-rewind <service> --since <instant, or beginning>: commands over consumers and logs, beside running processes of either shape. In a service's own environment (SCRIP_SERVICES) the group's context asks others
// over the network; else every context is here, on DATABASE_URL or the PostgreSQL that runs on the data directory.
import { masterKeyOf, openDataDirectory } from '@scrip/data-directory';
import { embeddedEdge } from '@scrip/edge';
import { contextOfGroup } from '@scrip/messaging';
import { contextDatabases } from '@scrip/reconcile';
import { type ScripConfig, endWithUsage, openConsumers, readCommandLine, readSettings } from '@scrip/service';
import { UsageError, isCommand, runCommand, usage } from './commands';
import { allContexts } from '@scrip/contexts';

const configOf = (): ScripConfig => {
  const settings = readSettings(process.env);
  const dataDir = openDataDirectory(settings.dataDir);
  return {
    ...settings,
    dataDir,
    ...contextDatabases(settings, dataDir),
    masterKey: settings.masterKey ?? masterKeyOf(dataDir),
  };
};

const main = async (): Promise<void> => {
  const { values, positionals } = readCommandLine(
    usage,
    { topic: { type: 'string' }, key: { type: 'string' }, since: { type: 'string' } },
    { words: true },
  );
  if (!isCommand(positionals, values)) return endWithUsage(usage);
  const config = configOf();
  const [command, group] = positionals;
  const ownerOf = (named: string): string => (command === 'relay-rewind' ? named : contextOfGroup(named));
  const isHere = (name: string): boolean =>
    config.distribution === null || group === undefined || name === ownerOf(group);
  const { close, ...subject } = await openConsumers({
    contexts: allContexts.filter(({ name }) => isHere(name)),
    config,
    edge: embeddedEdge,
  });
  try {
    const { lines, isDone } = await runCommand(subject, positionals, values);
    process.stdout.write(`${lines.join('\n')}\n`);
    if (!isDone) process.exitCode = 1;
  } finally {
    await close();
  }
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
