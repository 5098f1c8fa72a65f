import { rowsOf } from './file-rows';

const columns = [{ field: 'source_id' }];

interface Part {
  count: number;
  cells: string[];
}

const times = (count: number, cells: string[]): Part => ({ count, cells });

/** Rows one after another. By hand: with generators, hundreds of thousands of them take seconds. */
const recordsOf = (...parts: Part[]): AsyncIterator<string[]> => {
  const rest = parts.map((part) => ({ ...part, next: Promise.resolve({ done: false, value: part.cells }) }));
  const end = Promise.resolve({ done: true as const, value: undefined });
  return {
    next: () => {
      while (rest[0]?.count === 0) rest.shift();
      const [part] = rest;
      if (!part) return end;
      part.count -= 1;
      return part.next;
    },
    return: () => {
      rest.length = 0;
      return end;
    },
  };
};

const read = async (records: AsyncIterator<string[]>) => {
  let [items, failures] = [0, 0];
  try {
    for await (const row of rowsOf(records, columns, 'source_id'))
      if ('failure' in row) failures += 1;
      else items += 1;
    return { items, failures };
  } catch (error) {
    return (error as { failure?: { details?: string } }).failure?.details ?? error;
  }
};

describe('rows of a file', () => {
  it('are named by their identifier and counted with blank ones, which are left out', async () => {
    const rows = [];
    for await (const row of rowsOf(recordsOf(times(1, ['']), times(1, ['a'])), columns, 'source_id'))
      rows.push(row);
    expect(rows).toEqual([{ row: 2, item: { identifier: 'a', cells: ['a'] } }]);
  });

  test.each<[string, Part[], unknown]>([
    [
      '200,000, blank ones too',
      [times(10_000, ['']), times(190_000, ['a'])],
      { items: 190_000, failures: 0 },
    ],
    [
      '200,001, blank ones too',
      [times(10_000, ['']), times(190_001, ['a'])],
      'Property .file has more than 200000 rows',
    ],
    [
      '10,001 blank ones',
      [times(1, ['a']), times(10_001, [''])],
      'Property .file has more than 10000 rows without any content, the last of them row 10002',
    ],
    ['10,000 malformed ones', [times(10_000, ['a', '']), times(1, ['a'])], { items: 1, failures: 10_000 }],
    [
      '10,001 malformed ones',
      [times(1, ['a']), times(10_001, ['a', ''])],
      'Property .file has more than 10000 malformed rows. Row 10002: The row has another number of cells (2) than the header (1)',
    ],
    [
      '10,001 with NUL',
      [times(10_001, ['\0'])],
      'Property .file has more than 10000 malformed rows. Row 10001: The cell of column 1 cannot contain NUL characters',
    ],
    ['none', [times(3, [''])], 'Property .file has no rows behind its header line'],
  ])('may be as many as they may: %s', async (_, parts, result) => {
    expect(await read(recordsOf(...parts))).toEqual(result);
  });

  it.each([
    ['blank ones', ''],
    ['others', 'a'],
  ])('let others have their turn each thousand of them: %s', async (_what, cell) => {
    let turns = 0;
    const count = (): NodeJS.Immediate =>
      setImmediate(() => {
        turns += 1;
        others = count();
      });
    let others = count();
    await read(recordsOf(times(9_999, [cell]), times(1, ['a'])));
    clearImmediate(others);
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('are not read any further', async () => {
    const records = recordsOf(times(3_500_000, ['a', '']));
    await read(records);
    expect(await records.next()).toEqual({ done: true, value: undefined });
  });
});
