import { cursorOf, cursorText } from './cursor';
import { isEnough, pageByDeal, pageInOrder, type Placed } from './qualification-page';

/** Candidates as `at:amount`, in their order. */
const list = (text: string): Placed[] => {
  const seen = new Map<number, number>();
  return text
    .split(' ')
    .filter(Boolean)
    .map((one, place) => {
      const [at, amount = 0] = one.split(':').map(Number) as [number, number?];
      const ordinal = (seen.get(at) ?? 0) + 1;
      seen.set(at, ordinal);
      return { at, ordinal, id: `${place}`, amount };
    });
};
const text = (page: readonly Placed[]): string => page.map(({ at }) => at).join(' ');

describe('a page in the order of creation (02 §8, §11)', () => {
  it.each([
    ['ends where it is full', '9 8 7', 2, '9 8', { at: 8, ordinal: 0 }],
    ['is the last one where nothing follows', '9 8', 2, '9 8', null],
    ['ends before an instant of which not all would fit', '9 8 7 7 6', 3, '9 8', { at: 8, ordinal: 0 }],
    ['has all of its first instant', '9 9 9 8', 2, '9 9 9', { at: 9, ordinal: 0 }],
  ])('%s', (_, found, limit, page, next) => {
    const paged = pageInOrder({ found: list(found), examined: null, ended: true }, limit);
    expect([text(paged.page), paged.next]).toEqual([page, next]);
  });

  it('ends within an instant that has more than fifty', () => {
    const found = list(Array.from({ length: 51 }, () => '9').join(' '));
    const { page, next } = pageInOrder({ found, examined: null, ended: false }, 5);
    expect([page.length, next]).toEqual([50, { at: 9, ordinal: 50 }]);
  });

  it('goes on where candidates were looked at last, where it is not full', () => {
    const examined = { at: 3, ordinal: 4 };
    expect(pageInOrder({ found: list('9'), examined, ended: false }, 5).next).toEqual(examined);
    expect(pageInOrder({ found: list('9'), examined, ended: true }, 5).next).toBeNull();
  });

  it.each([
    ['9 8', 2, false],
    ['9 8 7', 2, true],
    ['9 9 9', 2, false],
    ['9 9 8', 1, false],
    ['9 8 8', 2, true],
  ])('of %s by %d is enough: %s', (found, limit, enough) =>
    expect(isEnough(list(found), limit)).toBe(enough),
  );
});

describe('a page by the deal', () => {
  const found = list('9:10 8:30 7:20 7:30');
  const pages = (sorting: 'BEST_DEAL' | 'LEAST_DEAL', limit: number): string[] => {
    const texts: string[] = [];
    for (let after: ReturnType<typeof cursorOf> = null; ;) {
      const { page, next } = pageByDeal(found, { limit, after, sorting });
      texts.push(text(page));
      if (!next) return texts;
      after = cursorOf(cursorText(next));
    }
  };

  it.each([
    ['BEST_DEAL', ['8 7', '7 9']],
    ['LEAST_DEAL', ['9 7', '8 7']],
  ] as const)('%s: of equal ones the newer first, each once over all pages', (sorting, expected) => {
    expect(pages(sorting, 2)).toEqual(expected);
    expect(pages(sorting, 1).join(' ')).toBe(expected.join(' '));
  });

  it('is empty behind one that does not qualify any more', () => {
    const after = { at: 5, ordinal: 0 };
    expect(pageByDeal(found, { limit: 2, after, sorting: 'BEST_DEAL' })).toEqual({ page: [], next: null });
  });
});

describe('a cursor', () => {
  const at = Date.parse('2026-03-31T10:00:00.120Z');

  it.each([
    ['2026-03-31T10:00:00.120Z', 0],
    ['2026-03-31T10:00:00.120007Z', 7],
    ['2026-03-31T10:00:00.120999Z', 999],
    ['2026-03-31T10:00:00.120001000Z', 1_000],
  ])('%s is %d behind the instant', (written, ordinal) => {
    expect(cursorText({ at, ordinal })).toBe(written);
    expect(cursorOf(written)).toEqual({ at, ordinal });
  });

  it('is read without its last zeros, and with an offset', () => {
    expect(cursorOf('2026-03-31T10:00:00.12Z')).toEqual({ at, ordinal: 0 });
    expect(cursorOf('2026-03-31T12:00:00.1201+02:00')).toEqual({ at, ordinal: 100 });
    expect(cursorOf('yesterday')).toBeNull();
  });
});
