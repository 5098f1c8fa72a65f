import { EdgeFailure } from '@scrip/edge';
import type { ItemOutcome } from '../items/item-task';
import type { RowValues } from './columns/row-values';
import { readRows } from './read-rows';

const stored: ItemOutcome = { found: false, updated: true };
const columns = [{ field: 'name' }];
const fault = new TypeError('this one breaks');

const recordOf = ({ fields: { name } }: RowValues): string => {
  if (name === 'broken') throw fault;
  if (name === 'refused') throw new EdgeFailure({ status: 400, key: 'invalid_payload', message: 'No' });
  return name!;
};

const read = (...names: string[]) =>
  readRows(
    names.map((name) => ({ identifier: null, cells: [name] })),
    { columns, dry_run: false },
    undefined,
    recordOf,
  );

const store = (records: readonly string[]): Promise<ItemOutcome[]> =>
  Promise.resolve(records.map(() => stored));

const refused = {
  found: false,
  updated: false,
  failure: { key: 'invalid_payload', message: 'No', details: '' },
};

describe('rows of a chunk', () => {
  it('are stored but those that are no records, each with its outcome', async () => {
    const rows = read('a', 'refused', 'b');
    expect(rows.records).toEqual(['a', 'b']);
    expect(await rows.store(store)).toEqual([stored, refused, stored]);
  });

  it('tell where they are stored of one whose reading broke, which takes nothing of the others away', async () => {
    const rows = read('a', 'broken', 'refused');
    await expect(rows.store(store)).rejects.toBe(fault);
    expect(await rows.only(0).store(store)).toEqual([stored]);
    await expect(rows.only(1).store(store)).rejects.toBe(fault);
    expect(await rows.only(2).store(store)).toEqual([refused]);
  });
});
