// npm run calc -- file.json [--json] [--minor]: calculates the order in a file (see request-file/request-file.ts) and
// prints the status of each redeemable with its reason. Status 2 where the file cannot be read or is wrong.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import colors from 'picocolors';
import { calc } from './calc';

const { output, errors, exitCode } = calc(process.argv.slice(2), {
  // npm runs scripts at the root of the repository, wherever they are called.
  readFile: (path) => readFileSync(resolve(process.env.INIT_CWD ?? '.', path), 'utf8'),
  now: new Date(),
  colours: colors.createColors(process.stdout.isTTY === true && colors.isColorSupported),
});
process.stdout.write(output);
process.stderr.write(errors);
process.exitCode = exitCode;
