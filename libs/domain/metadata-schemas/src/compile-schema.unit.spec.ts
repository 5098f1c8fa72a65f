import { compileSchema } from './compile-schema';
import type { MetadataDefinition, MetadataSchema } from './definition';

const definition = (more: Partial<MetadataDefinition>): MetadataDefinition => ({
  type: 'string',
  array: false,
  optional: true,
  ...more,
});

const schema = (
  properties: Record<string, Partial<MetadataDefinition>>,
  more: Partial<MetadataSchema> = {},
): MetadataSchema => ({
  related_object: 'customer',
  allow_defined_only: false,
  properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, definition(one)])),
  ...more,
});

const detailsOf = (
  of: MetadataSchema,
  metadata: Record<string, unknown>,
  { sent, nested }: { sent?: Record<string, unknown>; nested?: MetadataSchema } = {},
): string | undefined => compileSchema(of, () => nested).check(metadata, sent)?.details;

type Case = [unknown, Partial<MetadataDefinition>, string | null];

describe('a value of metadata (reference 07 §8)', () => {
  it.each<Case>([
    ['text', { type: 'string' }, null],
    [5, { type: 'string' }, "must be a string (actual value is '5')"],
    [-2.5, { type: 'number' }, null],
    ['5', { type: 'number' }, "must be a number (actual value is '5')"],
    [false, { type: 'boolean' }, null],
    ['true', { type: 'boolean' }, "must be a boolean (actual value is 'true')"],
    ['2026-03-31', { type: 'date' }, null],
    ['2026-02-30', { type: 'date' }, "must be a date (actual value is '2026-02-30')"],
    ['2026-03-31T10:00:00Z', { type: 'date' }, "must be a date (actual value is '2026-03-31T10:00:00Z')"],
    ['2026-03-31T10:00:00+02:00', { type: 'datetime' }, null],
    ['2026-03-31', { type: 'datetime' }, null],
    ['31.3.2026', { type: 'datetime' }, "must be a datetime (actual value is '31.3.2026')"],
    ['https://shop.example.com/a.JPEG?size=1', { type: 'image_url' }, null],
    ['http://shop.example.com/a.png', { type: 'image_url' }, null],
    [
      'https://shop.example.com/a.gif',
      { type: 'image_url' },
      "must be a URL pointing to JPG/JPEG or PNG resource (actual value is 'https://shop.example.com/a.gif')",
    ],
    ['geo:40.7128,-74.0060', { type: 'geopoint' }, null],
    ['40.7128,-74.0060', { type: 'geopoint' }, null],
    ['90,180', { type: 'geopoint' }, null],
    ['90.1,0', { type: 'geopoint' }, "must be a geopoint (actual value is '90.1,0')"],
    ['0,-180.1', { type: 'geopoint' }, "must be a geopoint (actual value is '0,-180.1')"],
    [{ any: 1 }, { type: 'object' }, null],
    [[], { type: 'object' }, "must be an object (actual value is '[]')"],
    [{ any: 1 }, { type: 'string' }, `must be a string (actual value is '{"any":1}')`],
  ])('%j as %j', (value, of, problem) => {
    expect(detailsOf(schema({ key: of }), { key: value })).toBe(
      problem === null ? undefined : `key: ${problem}`,
    );
  });

  it.each<Case>([
    [undefined, { optional: true }, null],
    [null, { optional: true }, null],
    [undefined, { optional: false }, "must be a string, property is required (actual value is 'undefined')"],
    [null, { optional: false }, "must be a string, property is required (actual value is 'null')"],
    [5, { optional: false }, "must be a string, property is required (actual value is '5')"],
    ['', { optional: false }, null],
  ])('%j, required or not: %j', (value, of, problem) => {
    expect(detailsOf(schema({ key: of }), { key: value })).toBe(
      problem === null ? undefined : `key: ${problem}`,
    );
  });

  it.each<Case>([
    ['b', { eq: ['a', 'b'] }, null],
    ['c', { eq: ['a', 'b'] }, "must be a string, must be equal to one of a,b (actual value is 'c')"],
    ['c', { eq: [] }, null],
    [2, { type: 'number', eq: [1, 2] }, null],
    [
      '2',
      { type: 'number', eq: [1, 2] },
      "must be a number, must be equal to one of 1,2 (actual value is '2')",
    ],
    [
      1,
      { type: 'number', ne: [1, 2] },
      "must be a number, must not be equal to any of 1,2 (actual value is '1')",
    ],
    [3, { type: 'number', ne: [1, 2] }, null],
    [4, { type: 'number', lt: 5 }, null],
    [5, { type: 'number', lt: 5 }, "must be a number, must be lower than 5 (actual value is '5')"],
    [5, { type: 'number', lte: 5 }, null],
    [
      6,
      { type: 'number', lte: 5 },
      "must be a number, must be lower than or equal to 5 (actual value is '6')",
    ],
    [6, { type: 'number', gt: 5 }, null],
    [5, { type: 'number', gt: 5 }, "must be a number, must be greater than 5 (actual value is '5')"],
    [5, { type: 'number', gte: 5 }, null],
    [
      4,
      { type: 'number', gte: 5 },
      "must be a number, must be greater than or equal to 5 (actual value is '4')",
    ],
    ['ab', { min_length: 2 }, null],
    ['a', { min_length: 2 }, "must be a string, must have at least 2 characters (actual value is 'a')"],
    ['ab', { max_length: 2 }, null],
    ['abc', { max_length: 2 }, "must be a string, must have at most 2 characters (actual value is 'abc')"],
    ['🎁', { exact_length: 1 }, null],
    ['ab', { exact_length: 1 }, "must be a string, must have exactly 1 character (actual value is 'ab')"],
  ])('%j within %j', (value, of, problem) => {
    expect(detailsOf(schema({ key: of }), { key: value })).toBe(
      problem === null ? undefined : `key: ${problem}`,
    );
  });

  it('is told everything that its definition asks', () => {
    const all: Partial<MetadataDefinition> = {
      type: 'number',
      optional: false,
      array: true,
      ne: [7],
      lt: 9,
      lte: 8,
      gt: 1,
      gte: 2,
    };
    expect(detailsOf(schema({ sizes: all }), { sizes: [2, 7] })).toBe(
      'sizes: must be an array, and every element: must be a number, property is required, ' +
        'must not be equal to any of 7, must be lower than 9, must be lower than or equal to 8, ' +
        "must be greater than 1, must be greater than or equal to 2 (actual value is '[2,7]')",
    );
    expect(detailsOf(schema({ sizes: all }), { sizes: [2, 3] })).toBeUndefined();
    const lengths = { eq: ['ab'], min_length: 1, max_length: 3, exact_length: 2 };
    expect(detailsOf(schema({ code: lengths }), { code: 'abcd' })).toBe(
      'code: must be a string, must be equal to one of ab, must have at least 1 character, ' +
        "must have at most 3 characters, must have exactly 2 characters (actual value is 'abcd')",
    );
  });

  it('is a list where the definition says so, of nothing but the type', () => {
    const of = schema({ location_id: { array: true, eq: ['L1', 'L2', 'L3'] } });
    const asked =
      'location_id: must be an array, and every element: must be a string, must be equal to one of L1,L2,L3';
    expect(detailsOf(of, { location_id: 'L1' })).toBe(`${asked} (actual value is 'L1')`);
    expect(detailsOf(of, { location_id: ['L1', null] })).toBe(`${asked} (actual value is '["L1",null]')`);
    expect(detailsOf(of, { location_id: ['L1', 'L3'] })).toBeUndefined();
    expect(detailsOf(of, { location_id: [] })).toBeUndefined();
    expect(detailsOf(schema({ key: {} }), { key: ['a'] })).toBe(
      `key: must be a string (actual value is '["a"]')`,
    );
  });

  it('is cut where it is long', () => {
    const details = detailsOf(schema({ key: { type: 'number' } }), { key: 'x'.repeat(300) });
    expect(details).toBe(`key: must be a number (actual value is '${'x'.repeat(256)}...')`);
  });
});

describe('metadata (reference 07 §8)', () => {
  it('is refused once, with every key that breaks the schema', () => {
    expect(
      compileSchema(schema({ a: {}, b: { type: 'number' }, c: {} }), () => undefined).check({
        a: 1,
        b: 'x',
        c: 'y',
      }),
    ).toEqual({
      refused: 'metadata_validation_failed',
      details: "a: must be a string (actual value is '1'); b: must be a number (actual value is 'x')",
    });
  });

  it('keeps keys without a definition, unless only defined ones are allowed', () => {
    expect(detailsOf(schema({ a: {} }), { other: 1 })).toBeUndefined();
    const strict = schema({ a: {} }, { allow_defined_only: true });
    expect(detailsOf(strict, { a: 'x', other: 1 })).toBe(
      'other: property is not defined in the metadata schema',
    );
    expect(detailsOf(strict, { a: 1, other: null })).toBe(
      "a: must be a string (actual value is '1'); other: property is not defined in the metadata schema",
    );
  });

  it('keeps stored keys without a definition where the write does not send them', () => {
    const strict = schema({ a: {} }, { allow_defined_only: true });
    expect(detailsOf(strict, { a: 'x', old: 1 }, { sent: { a: 'x' } })).toBeUndefined();
    expect(detailsOf(strict, { a: 5, old: 1 }, { sent: {} })).toBe(
      "a: must be a string (actual value is '5')",
    );
  });

  it('counts a removed definition as none', () => {
    const removed = { a: { optional: false, deleted: true } };
    expect(detailsOf(schema(removed), {})).toBeUndefined();
    expect(detailsOf(schema(removed), { a: 5 })).toBeUndefined();
    expect(detailsOf(schema(removed, { allow_defined_only: true }), { a: 'x' })).toBe(
      'a: property is not defined in the metadata schema',
    );
  });

  it('takes names of built-in properties for keys like others', () => {
    const of = schema({ toString: { optional: false } }, { allow_defined_only: true });
    expect(detailsOf(of, {})).toBe(
      "toString: must be a string, property is required (actual value is 'undefined')",
    );
    expect(detailsOf(of, { toString: 'x', constructor: 1 })).toBe(
      'constructor: property is not defined in the metadata schema',
    );
  });

  it('names at most 100 problems', () => {
    const many = Object.fromEntries(Array.from({ length: 103 }, (_, index) => [`k${index}`, 1]));
    const details = detailsOf(schema({}, { allow_defined_only: true }), many) ?? '';
    expect(details.split('; ')).toHaveLength(101);
    expect(details.split('; ').at(-1)).toBe('3 more');
  });

  it('is cut after 8,192 characters: definitions may list many values', () => {
    const eq = Array.from({ length: 2_000 }, (_, index) => `value ${index}`);
    const details = detailsOf(schema({ one: { eq } }), { one: 'other' }) ?? '';
    expect(details).toHaveLength(8_192);
    expect(details.endsWith('…')).toBe(true);
  });
});

describe('objects in metadata (reference 07 §8)', () => {
  const address = schema(
    { city: { optional: false }, floor: { type: 'number' }, gone: { deleted: true } },
    { related_object: 'address', allow_defined_only: true },
  );
  const of = schema({
    home: { type: 'object', object_type: 'address' },
    others: { type: 'object', array: true, object_type: 'address' },
  });

  it('follow the schema of their name', () => {
    const nested = address;
    expect(detailsOf(of, { home: { city: 'Oslo', floor: 3 } }, { nested })).toBeUndefined();
    expect(detailsOf(of, { home: { floor: 'x', door: 1 } }, { nested })).toBe(
      "home.city: must be a string, property is required (actual value is 'undefined'); " +
        "home.floor: must be a number (actual value is 'x'); " +
        'home.door: property is not defined in the metadata schema',
    );
    expect(detailsOf(of, { home: 'Oslo' }, { nested })).toBe(
      "home: must be an object (actual value is 'Oslo')",
    );
  });

  it('are looked at one after another in a list, up to the first that breaks the schema', () => {
    const others = [{ city: 'Oslo' }, { city: 5 }, {}];
    expect(detailsOf(of, { others }, { nested: address })).toBe(
      "others[1].city: must be a string, property is required (actual value is '5')",
    );
  });

  it('may have any keys while the project has no schema of that name', () => {
    expect(detailsOf(of, { home: { door: 1 } })).toBeUndefined();
  });

  it('know the types of their keys, one level deep', () => {
    const { typeOf } = compileSchema(of, () => address);
    expect(typeOf('home')).toBe('object');
    expect(typeOf('home.floor')).toBe('number');
    expect(typeOf('home.gone')).toBeUndefined();
    expect(typeOf('home.door')).toBeUndefined();
    expect(typeOf('elsewhere.floor')).toBeUndefined();
    expect(typeOf('constructor')).toBeUndefined();
    expect(compileSchema(schema({ 'a.b': { type: 'date' } }), () => undefined).typeOf('a.b')).toBe('date');
  });
});

describe('a cell of a CSV file (reference 07 §11)', () => {
  const { ofCell } = compileSchema(
    schema({
      name: {},
      size: { type: 'number' },
      big: { type: 'boolean' },
      since: { type: 'date' },
      sizes: { type: 'number', array: true },
      tags: { array: true },
      gone: { type: 'number', deleted: true },
    }),
    () => undefined,
  );

  it.each<[string, string, unknown]>([
    ['name', '5', '5'],
    ['size', '5', 5],
    ['size', '-2.50', -2.5],
    ['size', 'many', 'many'],
    ['size', '', ''],
    ['big', 'TRUE', true],
    ['big', 'false', false],
    ['big', 'yes', 'yes'],
    ['since', '2026-03-31', '2026-03-31'],
    ['sizes', '1, 2.5,x', [1, 2.5, 'x']],
    ['tags', 'a,b', ['a', 'b']],
    ['gone', '5', '5'],
    ['other', '5', '5'],
  ])('%s %j is %j', (key, text, value) => {
    expect(ofCell(key, text)).toEqual(value);
  });
});
