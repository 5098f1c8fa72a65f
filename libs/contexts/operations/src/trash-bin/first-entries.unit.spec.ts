import type { BinEntry } from '@scrip/contracts/operations';
import { firstEntries } from './first-entries';

const entry = (id: string): BinEntry => ({
  id,
  created_at: '2026-03-31T10:00:00.000Z',
  deleted_by_user_id: null,
  resource_id: `prod_${id}`,
  resource_type: 'product',
  resource_name: id,
  resource_parent_id: null,
});

describe('a page over several owners', () => {
  it.each<['id' | '-id', string[][], string[]]>([
    ['id', [['1', '4', '5'], ['2', '3'], []], ['1', '2', '3']],
    ['-id', [['5', '4', '1'], ['3', '2'], []], ['5', '4', '3']],
    ['id', [['2'], ['1']], ['1', '2']],
    ['id', [[], []], []],
  ])('ordered by %s has what comes first of all', (order, ids, page) => {
    const lists = ids.map((list) => list.map(entry));
    expect(firstEntries(lists, { order, limit: 3 }).map(({ id }) => id)).toEqual(page);
  });
});
