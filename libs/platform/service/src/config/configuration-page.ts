import { type Variable, environmentTable } from './environment.table';

const kinds: Record<Variable['kind'], string> = {
  text: 'text',
  integer: 'whole number',
  switch: '`true` or `false`',
  list: 'comma-separated list',
};

const allowed = ({ kind, choices, expects, min, max }: Variable): string => {
  if (choices) return choices.map((choice) => `\`${choice}\``).join(', ');
  if (min !== undefined && max !== undefined) return `${kinds[kind]}, ${min} to ${max}`;
  if (min !== undefined) return `${kinds[kind]}, at least ${min}`;
  return expects ?? kinds[kind];
};

const fallback = ({ default: value }: Variable): string => {
  if (value === null) return 'see meaning';
  return value === '' ? 'empty' : `\`${value}\``;
};

const header = ['Variable', 'Default', 'Value', 'Meaning'];

const cells = (variable: Variable): string[] => [
  `\`${variable.name}\`${variable.secret ? ' (secret)' : ''}`,
  fallback(variable),
  allowed(variable),
  variable.meaning,
];

const table = (rows: readonly string[][]): string => {
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], filler = ' '): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0, filler)).join(' | ')} |`;
  const [first = [], ...others] = rows;
  return [
    line(first),
    line(
      header.map(() => ''),
      '-',
    ),
    ...others.map((row) => line(row)),
  ].join('\n');
};

/** Returns the page `docs/configuration.md`, made from the table of environment variables. */
export const configurationPage = (): string => `# Configuration

Scrip is configured by environment variables, read and checked once at start: a wrong value stops the start with a line
that names the variable. An empty variable counts as absent. None has to be set.

${table([header, ...environmentTable.map(cells)])}

Secrets never appear in logs or error messages.

This page is written from \`libs/platform/service/src/config/environment.table.ts\` by \`npm run docs:configuration\`; a test
compares them.
`;
