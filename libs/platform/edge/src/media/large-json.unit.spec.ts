import { parseLargeJson, portionsOfList } from './large-json';
import { parseJson } from './body-parsers';

const read = (raw: string) => parseLargeJson(raw, (text, part) => parseJson(text, JSON.parse, part));
const detailsOf = (raw: string) =>
  read(raw).then(
    () => 'read',
    ({ failure }: { failure: { details: string } }) => failure.details,
  );
const elements = Array.from({ length: 100_000 }, (_, n) => ({ code: `C-"[${n}]\\`, of: [n, { n }] }));
const list = JSON.stringify(elements);
const begun = list.slice(0, -1);

describe('a large JSON body', () => {
  it('is read by portions, between which others have their turn', async () => {
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);
    expect(await read(` ${list}\n`)).toEqual(elements);
    clearInterval(others);
    expect(turns).toBeGreaterThan(10);
  });

  it.each([
    ['a flaw late in it', `${begun},{"code" 1}]`, `: unexpected character at position ${begun.length + 9}`],
    ['an element that is none', `${begun},,1]`, ': unexpected ,'],
    ['a comma at its end', `${begun},]`, ': unexpected ]'],
    ['another end', `${begun}}`, ': it ends too early'],
    ['no end', begun, ': it ends too early'],
    ['something behind it', `${list} x`, `: unexpected character at position ${list.length + 1}`],
  ])('with %s is refused with the place', async (_what, raw, place) => {
    expect(await detailsOf(raw)).toBe(`Invalid request payload JSON format${place}`);
  });

  it('with a text that cannot be stored names the element', async () => {
    expect(await detailsOf(`${begun},{"code":"\\u0000"}]`)).toBe(
      'Property [100000].code cannot contain NUL characters or lone surrogates',
    );
  });

  it('with one element that is larger than most bodies is refused', async () => {
    const large = (units: number) => JSON.stringify([1, 'x'.repeat(units)]);
    expect(await detailsOf(large(1_048_000))).toBe('read');
    expect(await detailsOf(large(1_048_577))).toBe('Property [0] has more values than are read at once');
  });

  it('that is no list is read where it has few values', async () => {
    const codes = elements.map(({ code }) => code);
    expect(await read(JSON.stringify({ codes }))).toEqual({ codes });
    const many = (count: number) => `{"of":[${Array.from({ length: count }, () => '{}').join()}]}`;
    expect(await detailsOf(many(262_143))).toBe('read');
    expect(await detailsOf(many(262_144))).toBe('Payload has more values than are read at once');
  });

  it('that is a list is read where it has a million values, and handed on by the same portions', async () => {
    const many = (count: number) => `[${Array.from({ length: count }, () => '{}').join()}]`;
    expect(await detailsOf(many(524_289))).toBe('Payload has more values than are read at once');
    const large = (await read(many(524_288))) as object[];
    const portions: number[] = [];
    let turns = 0;
    const count = (): NodeJS.Immediate =>
      setImmediate(() => {
        turns += 1;
        others = count();
      });
    let others = count();
    for await (const { from, elements: some } of portionsOfList(large)) {
      expect(from).toBe(portions.reduce((sum, length) => sum + length, 0));
      portions.push(some.length);
    }
    clearImmediate(others);
    expect(portions.reduce((sum, length) => sum + length, 0)).toBe(524_288);
    expect(Math.max(...portions)).toBeLessThan(45_000);
    expect(turns).toBeGreaterThanOrEqual(portions.length - 2);
  });

  it('of usual size is handed on at once', async () => {
    const portions = [];
    for await (const portion of portionsOfList(['a', 'b'])) portions.push(portion);
    expect(portions).toEqual([{ from: 0, elements: ['a', 'b'] }]);
  });

  it('that is an empty list is one', async () => {
    expect(await read(`[${' '.repeat(200_000)}]`)).toEqual([]);
  });
});
