import { lastPlaceOf, movedDown, type PlacedTier } from './places';

const tiers = (text: string): PlacedTier[] =>
  text === ''
    ? []
    : text.split(' ').map((one) => {
        const [id = '', hierarchy] = one.split('=');
        return { id, hierarchy: Number(hierarchy) };
      });

it.each([
  ['', 1],
  ['a=1', 2],
  ['a=1 b=2 c=3', 4],
  ['a=3 b=1', 4],
  ['a=7', 8],
])('behind the tiers "%s" is place %i', (others, place) => {
  expect(lastPlaceOf(tiers(others))).toBe(place);
});

it.each([
  ['a free place', '', 1, ''],
  ['a place behind all', 'a=1 b=2', 3, ''],
  ['the first place', 'a=1 b=2 c=3', 1, 'a=2 b=3 c=4'],
  ['a place between', 'a=1 b=2 c=3', 2, 'b=3 c=4'],
  ['the last place', 'a=1 b=2 c=3', 3, 'c=4'],
  ['a place in a gap', 'a=1 b=4', 2, ''],
  ['a place before a gap', 'a=1 b=2 c=5', 1, 'a=2 b=3'],
  ['a place before a gap of one', 'a=1 b=2 c=4', 1, 'a=2 b=3'],
  ['tiers in any order', 'c=3 a=1 b=2', 2, 'b=3 c=4'],
])('a tier that takes %s moves down those in its way: %s', (_, others, place, moved) => {
  expect(movedDown(place, tiers(others))).toEqual(tiers(moved));
});
