import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import type { Figure, Scenario } from './scenario';

const page = resolve(__dirname, '..', '..', '..', 'docs', 'reliability.md');

const formatter = require.resolve('prettier/bin/prettier.cjs');

const marker = (name: string, end: 'begin' | 'end'): string => `<!-- chaos ${name}: ${end} -->`;

const cell = (text: string | number): string => String(text).replaceAll('|', '\\|');

/** The table of one run, for people. */
export const tableOf = (figures: readonly Figure[]): string[] => [
  '| Figure | Measured | Bar | |',
  '| --- | --- | --- | --- |',
  ...figures.map(({ what, measured, bar, isMet }) => {
    const verdict = isMet === null ? '' : isMet ? 'met' : '**missed**';
    return `| ${cell(what)} | ${cell(measured)} | ${cell(bar)} | ${verdict} |`;
  }),
];

/** Replaces a scenario's part of docs/reliability.md by the figures of this run. Throws where the page has no markers of
 *  it. */
export const writeFigures = (
  scenario: Scenario,
  options: { seconds: number; rate: number },
  figures: readonly Figure[],
): void => {
  const text = readFileSync(page, 'utf8');
  const [begin, end] = [marker(scenario.name, 'begin'), marker(scenario.name, 'end')];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for ${scenario.name}`);
  const when = new Date().toISOString().slice(0, 10);
  const run = `Run of ${when}: ${options.seconds} s, ${options.rate} redemptions/s; ${cpus().length} cores shared with the load and with other work (load average ${loadavg()[1]?.toFixed(0)}), Node ${process.versions.node}.`;
  const part = [begin, '', run, '', ...tableOf(figures), ''].join('\n');
  writeFileSync(page, text.slice(0, from) + part + '\n' + text.slice(to));
  execFileSync(process.execPath, [formatter, '--write', '--log-level', 'error', page]);
};
