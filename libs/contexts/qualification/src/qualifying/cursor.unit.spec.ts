import { cursorOf, placeOf } from './cursor';

const placeAt = (text: string): string => placeOf(cursorOf(text)!).created_at;

describe('a page behind a cursor', () => {
  test.each([
    ['an instant', '2026-03-31T10:00:00.000Z', '2026-03-31T10:00:00.000Z'],
    ['some of an instant', '2026-03-31T10:00:00.000002Z', '2026-03-31T10:00:00.001Z'],
    ['some of the last instant', '9999-12-31T23:59:59.999001Z', '9999-12-31T23:59:59.999Z'],
  ])('begins behind %s', (_, cursor, place) => {
    expect(placeAt(cursor)).toBe(place);
  });
});
