import { sortedBy } from './legacy-qualification.query';

const b = { id: '1', name: 'b' };
const a = { id: '2', name: 'a' };
const none = { id: '3', name: null };
const otherA = { id: '4', name: 'a' };

it.each([
  ['name', [a, otherA, b, none]],
  ['-name', [b, a, otherA, none]],
] as const)(
  'sorted by %s, equal ones stay in their order and what has no value comes last',
  (order, expected) => {
    const by = { name: ({ name }: { name: string | null }) => name };
    expect(sortedBy([b, a, none, otherA], order, by)).toEqual(expected);
  },
);
