import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Shape } from '@scrip/testing';
import type { Row } from './row';
import { looks } from './rows/large-lists';

/** What a run measures: a shape, the calculation by itself, or a project with many records. */
export type Subject = Shape | 'engine' | 'scale';

const titles: Record<Subject, string> = {
  embedded: 'One process',
  distributed: 'Separate services',
  engine: 'The calculation by itself',
  scale: 'A project with many records, one process',
};

/** Major versions of Node that Scrip runs on: `engines` of package.json. */
const nodes = [24, 20];

const runningNode = Number(process.versions.node.split('.')[0]);

const machine = (): string => {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
};

const verdict = (met: boolean | null): string => (met === null ? '' : met ? 'met' : '**missed**');

const introduction = `# Benchmarks

Written by \`npm run bench\`. Every figure is from one run on one machine, load generator, PostgreSQL and Scrip on the same
cores; a baseline in the same table was taken minutes apart in the same run, and the ratio is the figure to compare.
PostgreSQL runs with \`full_page_writes\` off and otherwise as safe as ever (\`fsync\` and \`synchronous_commit\` are on):
with it on, the first change of a page after a checkpoint writes the whole page to the log, which makes a short run depend
on when checkpoints fall. On a file system that does not write pages atomically it has to be on; expect more log then.

- **S**: a bare Fastify + pg process doing one indexed select per request.
- **C**: the same doing one CTE commit (update and insert).
- **N**: the same redeeming one row: BEGIN, SELECT FOR UPDATE, INSERT, UPDATE, COMMIT with a pool of 16.
`;

const loadOf = (subject: Subject, seconds: number): string =>
  subject === 'engine'
    ? 'Medians of batches of 50 after a warm-up; hostile input once, cold.'
    : subject === 'scale'
      ? `Pages have ten\nrecords unless more are named; one caller looks at each ${looks} times after a warm-up, and at one record in between.\nPostgreSQL has a quarter of the memory as \`shared_buffers\`. Before, consumers had read all events, and \`VACUUM ANALYZE\` had run once, as autovacuum does in time.`
      : `Load: open loop for ${seconds} s at the\nstated rate after a warm-up, closed loop where callers are named.`;

/** What a run found, as Markdown: what was measured, on what, when, and against which bar. */
export const sectionOf = (
  rows: readonly Row[],
  { subject, seconds }: { subject: Subject; seconds: number },
): string =>
  [
    `## ${titles[subject]}, Node ${runningNode}`,
    '',
    `Machine: ${machine()}. ${loadOf(subject, seconds)}`,
    // A bench alone keeps about as many processes busy as there are processors.
    `Date: ${new Date().toISOString().slice(0, 10)}. Load average of the last 15 minutes: ${(loadavg()[2] ?? 0).toFixed(1)}.`,
    '',
    '| Work | Measured | Baseline | Bar | |',
    '|---|---|---|---|---|',
    ...rows.map(
      (row) => `| ${row.work} | ${row.measured} | ${row.baseline} | ${row.bar} | ${verdict(row.met)} |`,
    ),
    '',
  ].join('\n');

/** The page in `file` with what was found of one subject on this Node replaced; the rest stays as it was. */
export const pageWith = (file: string, subject: Subject, text: string): string => {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const sections = (['embedded', 'distributed', 'scale', 'engine'] as const).flatMap((of) =>
    nodes.map((node) => {
      const [start, end] = [`<!-- ${of} ${node} -->`, `<!-- /${of} ${node} -->`];
      const known = before.split(start)[1]?.split(end)[0] ?? '';
      const section = of === subject && node === runningNode ? text : known;
      return `${start}\n\n${section.trim()}\n\n${end}`;
    }),
  );
  return `${introduction}\n${sections.join('\n\n')}\n`;
};
