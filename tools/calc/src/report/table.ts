/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly align: 'left' | 'right';
  readonly cell: (row: Row) => string;
}

const padded = (text: string, width: number, align: 'left' | 'right'): string =>
  align === 'left' ? text.padEnd(width) : text.padStart(width);

/** Aligned lines, the titles first. */
export const tableLines = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] => {
  const lists = columns.map(({ title, align, cell }) => {
    const cells = [title, ...rows.map(cell)];
    const width = Math.max(...cells.map(({ length }) => length));
    return cells.map((text) => padded(text, width, align));
  });
  return [undefined, ...rows].map((_, position) =>
    lists
      .map((cells) => cells[position])
      .join('  ')
      .trimEnd(),
  );
};
