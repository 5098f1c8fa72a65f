import { IsOptional } from 'class-validator';
import { inlineDtoSchema } from '../openapi/dto-schema';
import { IsInteger, IsMetadata, IsText, NestedList } from '../validation/rules';
import { ignoredNames } from './ignored-header';
import { knownNamesOf } from './known-names';
import { parseLargeJson } from '../media/large-json';
import { unknownNames, unknownNamesOfBody } from './unknown-names';

class Line {
  @IsOptional()
  @IsInteger()
  price?: number;
}

class Order {
  @IsText()
  source_id: string;

  @IsOptional()
  @IsMetadata()
  metadata?: object;

  @IsOptional()
  @NestedList(() => Line, { max: 500 })
  items?: Line[];
}

const known = knownNamesOf(inlineDtoSchema(Order, 'body'));
const found = (value: unknown) => unknownNames(value, known);
const told = (value: unknown) => ignoredNames(found(value), []);

describe('names that nothing reads', () => {
  test.each([
    ['no names of its own', {}, []],
    ['names it has', { source_id: 'a', items: [{ price: 1 }] }, []],
    ['a name at the root', { sourc_id: 'a' }, ['sourc_id']],
    ['a name in a list', { items: [{ price: 1 }, { prize: 2 }] }, ['.items[1].prize']],
    ['names that callers choose', { metadata: { anything: { at: 'all' } } }, []],
    ['a list that is something else', { items: 'none' }, []],
    ['no object', 'text', []],
    ['names of prototypes', JSON.parse('{"toString":1}'), ['toString']],
  ])('are found in an input with %s', (_, value, names) => {
    expect(found(value).map(({ at, name }) => (at === '' ? name : `${at}.${name}`))).toEqual(names);
  });

  it('are those that no variant of a union knows', () => {
    const one = { type: 'object', properties: { type: {}, amount_off: {} } };
    const other = { type: 'object', properties: { type: {}, percent_off: {} } };
    const union = knownNamesOf({ anyOf: [one, other, { type: 'null' }] });
    expect(unknownNames({ type: 'x', amount_off: 1, percent_off: 2, percent: 3 }, union)).toMatchObject([
      { name: 'percent' },
    ]);
  });

  it('are those inside of what stands under names that callers choose', () => {
    const definition = { type: 'object', properties: { type: {}, maxLength: {} } };
    const schema = {
      type: 'object',
      properties: { properties: { type: 'object', additionalProperties: definition } },
    };
    const sent = {
      properties: { age: { type: 'string', min_length: 3, foo: 1 }, toString: { type: 'number' } },
    };
    expect(unknownNames(sent, knownNamesOf(schema))).toEqual([
      { at: '.properties.age', name: 'min_length', known: ['type', 'maxLength'] },
      { at: '.properties.age', name: 'foo', known: ['type', 'maxLength'] },
    ]);
  });

  it('are at most 100', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 1]));
    expect(found(many)).toHaveLength(100);
    expect(found({ items: Array.from({ length: 500 }, () => many) })).toHaveLength(100);
  });
});

describe('names of a body that nothing reads', () => {
  const list = { names: null, members: null, elements: known };
  const many = Array.from({ length: 60_000 }, (_, n) => (n < 59_990 ? { source_id: 'a' } : { sourc_id: n }));

  it('are found by portions where it is a large list, and others have their turn between them', async () => {
    const body = await parseLargeJson(JSON.stringify(many), (text) => JSON.parse(text) as unknown);
    let turns = 0;
    const count = (): NodeJS.Immediate =>
      setImmediate(() => {
        turns += 1;
        others = count();
      });
    let others = count();
    const names = await unknownNamesOfBody(body, list);
    clearImmediate(others);
    expect(names).toEqual(unknownNames(many, list));
    expect(names.map(({ at }) => at)).toContain('[59999]');
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it.each([[{ sourc_id: 'a' }], [[{ sourc_id: 'a' }]], ['text'], [undefined]])(
    'are found at once else: %j',
    async (body) => {
      const of = Array.isArray(body) ? list : known;
      expect(await unknownNamesOfBody(body, of)).toEqual(unknownNames(body, of));
    },
  );
});

describe('the header X-Scrip-Ignored', () => {
  it('is absent where nothing was ignored', () => {
    expect(told({ source_id: 'a' })).toBeNull();
  });

  it('names a place in a list once', () => {
    expect(told({ items: [{ prize: 1 }, { prize: 2 }] })).toBe('items[].prize');
  });

  it('names a place in a list at the root with its brackets', () => {
    const lines = knownNamesOf({ type: 'array', items: inlineDtoSchema(Line, 'body') });
    const sent = [{ price: 1, discount: 2 }, { discount: 3 }, { at: { deep: 1 } }];
    expect(ignoredNames(unknownNames(sent, lines), [])).toBe('[].discount, [].at');
  });

  it('names what stands in the query behind a question mark', () => {
    expect(ignoredNames([], unknownNames({ limt: '5' }, known))).toBe('?limt');
  });

  it('encodes what a header cannot carry', () => {
    expect(told({ 'a\r\nb, ł\uD800': 1 })).toBe('a%0D%0Ab%2C%20%C5%82%EF%BF%BD');
  });

  test.each([
    ['20 names', (index: number) => `x${index}`, 20],
    ['1,024 bytes', (index: number) => `${index}${'ł'.repeat(90)}`, 1],
  ])('has at most %s', (_, nameOf, names) => {
    const header =
      told(Object.fromEntries(Array.from({ length: 50 }, (__, index) => [nameOf(index), 1]))) ?? '';
    expect(header.split(', ')).toHaveLength(names + 1);
    expect(header.endsWith(', ...')).toBe(true);
    expect(header.length).toBeLessThanOrEqual(1_024);
  });
});
