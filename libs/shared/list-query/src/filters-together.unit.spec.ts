import { filtersTogether } from './filters-together';

const filtered = (id: string, length: number) => ({ id, filter: { name: 'x'.repeat(length) } });

test('filters share a statement as far as they are short, a long one has its own', () => {
  const all = [
    filtered('a', 10),
    filtered('b', 10),
    filtered('c', 70_000),
    filtered('d', 40_000),
    filtered('e', 40_000),
  ];
  const ids = filtersTogether(all).map((group) => group.map(({ id }) => id));
  expect(ids).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
  expect(filtersTogether([])).toEqual([]);
});
