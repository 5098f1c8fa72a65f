// npm run chaos -- <scenario> [--seconds n] [--rate 20] [--count n] [--write]: breaks a running Scrip and shows what survived; status 1
// when a bar is missed. Without a scenario: lists them. --write puts the figures into docs/reliability.md.
import { endWithUsage, readCommandLine } from '@scrip/service';
import { tableOf, writeFigures } from './figures-page';
import { scenarios } from './scenarios';

const list = scenarios
  .map(({ name, what, seconds }) => `${name.padEnd(20)} ${what} (${seconds} s)`)
  .join('\n');

const usage = `npm run chaos -- <scenario> [--seconds n] [--rate 20] [--count n] [--write]\n\n${list}`;

const main = async (): Promise<void> => {
  const { values, positionals } = readCommandLine(
    usage,
    {
      seconds: { type: 'string' },
      rate: { type: 'string', default: '20' },
      count: { type: 'string', default: '5000000' },
      write: { type: 'boolean', default: false },
    },
    { words: true },
  );
  const [named] = positionals;
  if (named === undefined) return void process.stdout.write(`${usage}\n`);
  const scenario = scenarios.find(({ name }) => name === named);
  if (!scenario) return endWithUsage(usage, `there is no scenario ${named}`);
  const startedAt = performance.now();
  const tell = (line: string): void =>
    void process.stdout.write(
      `${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(7)} s  ${line}\n`,
    );
  const options = {
    seconds: Number(values.seconds ?? scenario.seconds),
    rate: Number(values.rate),
    count: Number(values.count),
  };
  const figures = await scenario.run({ ...options, tell });
  process.stdout.write(`${tableOf(figures).join('\n')}\n`);
  if (values.write) writeFigures(scenario, options, figures);
  if (figures.some(({ isMet }) => isMet === false)) process.exitCode = 1;
};

main()
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  })
  // Sockets to servers that are gone may be open still.
  .finally(() => process.exit());
