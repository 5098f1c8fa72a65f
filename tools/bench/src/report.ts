import { existsSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Shape } from '@scrip/testing';
import type { Row } from './row';

const titles: Record<Shape, string> = { embedded: 'One process', distributed: 'Separate services' };

const machine = (): string => {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
};

const verdict = (met: boolean | null): string => (met === null ? '' : met ? 'met' : '**missed**');

const introduction = `# Benchmarks

Written by \`npm run bench\`. Every figure is from one run on one machine, load generator, PostgreSQL and Scrip on the same
cores; a baseline in the same table was taken minutes apart in the same run, and the ratio is the figure to compare.

- **S**: a bare Fastify + pg process doing one indexed select per request.
- **C**: the same doing one CTE commit (update and insert).
- **N**: the same redeeming one row: BEGIN, SELECT FOR UPDATE, INSERT, UPDATE, COMMIT with a pool of 16.
`;

const markers = (shape: Shape): [string, string] => [`<!-- ${shape} -->`, `<!-- /${shape} -->`];

/** The section of one shape as Markdown: what was measured, on what, when, and against which bar. */
export const sectionOf = (
  rows: readonly Row[],
  { shape, seconds }: { shape: Shape; seconds: number },
): string =>
  [
    `## ${titles[shape]}`,
    '',
    `Machine: ${machine()}. Load: open loop for ${seconds} s at the`,
    'stated rate after a warm-up, closed loop where callers are named.',
    `Date: ${new Date().toISOString().slice(0, 10)}.`,
    '',
    '| Work | Measured | Baseline | Bar | |',
    '|---|---|---|---|---|',
    ...rows.map(
      (row) => `| ${row.work} | ${row.measured} | ${row.baseline} | ${row.bar} | ${verdict(row.met)} |`,
    ),
    '',
  ].join('\n');

/** The page in `file` with the section of one shape replaced; the other shape's stays as it was. */
export const pageWith = (file: string, shape: Shape, section: string): string => {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const sections = (['embedded', 'distributed'] as const).map((one) => {
    const [start, end] = markers(one);
    const known = before.split(start)[1]?.split(end)[0] ?? '';
    return `${start}\n\n${(one === shape ? section : known).trim()}\n\n${end}`;
  });
  return `${introduction}\n${sections.join('\n\n')}\n`;
};
