import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './scrip-process.fixture';

/** The program of `npm run demo`. */
export const demo = 'tools/demo/dist/main.js';

/** The steps and checks of an output of the demo, in order, without what differs from run to run. */
export const stepsAndChecks = (output: string): string[] =>
  output.split('\n').filter((line) => /^(\d+\. |✓ |The whole main job)/.test(line));

/** The output of the demo as the README shows it. */
export const demoInReadme = (): string => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  return readme.slice(readme.indexOf('<!-- demo -->'), readme.indexOf('<!-- /demo -->'));
};
