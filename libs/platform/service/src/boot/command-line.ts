import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Ends the process because of a wrong command line: what is wrong with it and the usage on stderr, status 2. */
export const endWithUsage = (usage: string, problem?: string): never => {
  process.stderr.write(`${problem === undefined ? '' : `${problem}\n\n`}${usage}\n`);
  process.exit(2);
};

type Options = NonNullable<ParseArgsConfig['options']>;

const parsed = <Known extends Options>(options: Known, allowPositionals: boolean) =>
  parseArgs({ options, allowPositionals, strict: true });

/** The command line of a program, which is read before the program opens anything. `--help` prints the usage and ends the
 *  process with status 0; an unknown option, or a word where `words` is false, ends it with the usage and status 2. */
export const readCommandLine = <Known extends Options>(
  usage: string,
  options: Known,
  { words = false }: { words?: boolean } = {},
): ReturnType<typeof parsed<Known>> => {
  if (process.argv.slice(2).includes('--help')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parsed(options, words);
  } catch (error) {
    return endWithUsage(usage, error instanceof Error ? error.message : String(error));
  }
};
