import { parseArgs } from 'node:util';
import { evaluateRequest } from '@scrip/order-preview';
import { problemLine } from './request-file/input-problem';
import { readRequest } from './request-file/read-request';
import { reportOf } from './report/report';
import { type ReportStyle, plainStyle } from './report/style';

/** The output of the command and its exit code: 0 after a calculation, valid or not; 2 when the file is wrong. */
export interface CommandEnd {
  readonly output: string;
  readonly errors: string;
  readonly exitCode: 0 | 2;
}

/** What the command needs to run. */
export interface Dependencies {
  /** Throws where the file cannot be read. */
  readonly readFile: (path: string) => string;
  readonly now: Date;
  readonly colours: ReportStyle['colours'];
}

const usage = 'npm run calc -- <file.json> [--json] [--minor]';

const refused = (...lines: readonly string[]): CommandEnd => ({
  output: '',
  errors: `${lines.join('\n')}\n`,
  exitCode: 2,
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs `calc` with the arguments of a command line. Never throws. */
export const calc = (args: readonly string[], { readFile, now, colours }: Dependencies): CommandEnd => {
  let file: string | undefined;
  let options: { json?: boolean; minor?: boolean };
  try {
    const parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean' }, minor: { type: 'boolean' } },
    });
    options = parsed.values;
    if (parsed.positionals.length !== 1) return refused(usage);
    [file] = parsed.positionals;
  } catch (error) {
    // Unknown options.
    return refused(messageOf(error), usage);
  }
  let text: string;
  try {
    text = readFile(file!);
  } catch (error) {
    return refused(`${file} cannot be read: ${messageOf(error)}`);
  }
  const request = readRequest(text, now);
  if (Array.isArray(request))
    return refused(`${file} cannot be calculated:`, ...request.map((problem) => `  ${problemLine(problem)}`));
  const calculation = evaluateRequest(request);
  const { countedVerdicts: _, ...shown } = calculation;
  const amount = options.minor ? String : plainStyle.amount;
  const output = options.json
    ? `${JSON.stringify(shown, null, 2)}\n`
    : reportOf(calculation, { amount, colours });
  return { output, errors: '', exitCode: 0 };
};
