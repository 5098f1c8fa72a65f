import { Violation } from '../validation/violation';
import { readFilters } from './filters';
import { listOf, pageOf } from './list-of';
import { offsetOf, orderOf } from './page-query';
import { parseQueryString } from './query-string';

describe('a query string', () => {
  test.each([
    ['a=1&b=x%20y&c=a+b', { a: '1', b: 'x y', c: 'a b' }],
    ['a=1&a=2', { a: '1' }],
    ['filters[code][conditions][$is]=X', { filters: { code: { conditions: { $is: 'X' } } } }],
    [
      '[filters][code][conditions][$in][0]=X&[filters][code][conditions][$in][1]=Y',
      { filters: { code: { conditions: { $in: ['X', 'Y'] } } } },
    ],
    ['created_at[before]=2026-01-01', { created_at: { before: '2026-01-01' } }],
    ['[created_at][before]=2026-01-01', { created_at: { before: '2026-01-01' } }],
    ['ids[]=a&ids[]=b', { ids: ['a', 'b'] }],
    ['a[10]=x&a[2]=y', { a: ['y', 'x'] }],
    ['a=1&a[b]=2', { a: '1' }],
    ['a[b]=2&a=1', { a: { b: '2' } }],
    ['%E0%A4%A=x', { '\ufffd%A': 'x' }],
    [`a${'[b]'.repeat(20)}=1`, {}],
    ['', {}],
    ['=x', { 0: 'x' }],
  ])('%s', (text, query) => {
    expect(JSON.parse(JSON.stringify(parseQueryString(text)))).toEqual(query);
  });

  it('has no special names', () => {
    const query = parseQueryString('__proto__[polluted]=1&constructor=2&a[__proto__][b]=3');
    expect(Object.getPrototypeOf(query)).toBeNull();
    expect(query.constructor).toBe('2');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('reads the first thousand parameters', () => {
    const text = Array.from({ length: 2_000 }, (_, index) => `p${index}=1`).join('&');
    expect(Object.keys(parseQueryString(text))).toHaveLength(1_000);
  });
});

describe('filters', () => {
  const spec = { fields: ['code', 'metadata.*'], operators: ['$is', '$in'] };

  it('are read from either form', () => {
    const body = {
      junction: 'OR',
      code: { conditions: { $in: ['a', 'b'] } },
      'metadata.city': { conditions: { $is: 'x' } },
    };
    expect(readFilters(body, spec)).toEqual({
      junction: 'or',
      fields: { code: { $in: ['a', 'b'] }, 'metadata.city': { $is: ['x'] } },
    });
    expect(readFilters(undefined, spec)).toEqual({ junction: 'and', fields: {} });
  });

  it('need no conditions around the operators of a field that may stand bare', () => {
    const bare = { ...spec, bare: ['code'] };
    const fields = { code: { $is: ['x'] } };
    expect(readFilters({ code: { $is: 'x' } }, bare).fields).toEqual(fields);
    expect(readFilters({ code: { conditions: { $is: 'x' } } }, bare).fields).toEqual(fields);
    expect(() => readFilters({ code: { $like: 'x' } }, bare)).toThrow(/unknown operator/);
    expect(() => readFilters({ code: { $is: 'x' } }, spec)).toThrow(/required property 'conditions'/);
  });

  test.each<[unknown, RegExp]>([
    [{ junction: 'xor' }, /^\.filter has wrong 'junction' property\. It must be one of: and, or$/],
    [
      { name: { conditions: {} } },
      /^\.filters has an unknown field 'name'\. Fields should be .* allowed values \[ code, metadata\.\* \]$/,
    ],
    [{ kode: { conditions: {} } }, /unknown field 'kode'\. Did you mean code\? Fields should /],
    [{ ['k'.repeat(101)]: { conditions: {} } }, /unknown field 'k{100}'\. Fields should /],
    [
      { code: { conditions: { $like: 'x' } } },
      /^\.filters\.code\.conditions has an unknown operator '\$like'\. Operators should be .* \[ \$is, \$in \]$/,
    ],
    [{ code: { conditions: { is: 'x' } } }, /unknown operator 'is'\. Did you mean \$is\? Operators should /],
    [{ code: 'x' }, /must have required property 'conditions'$/],
    [[], /must be object$/],
    ['x', /must be object$/],
    [parseQueryString('f[__proto__][conditions][$is]=1').f, /unknown field '__proto__'/],
    [parseQueryString('f[constructor][conditions][$is]=1').f, /unknown field 'constructor'/],
    [parseQueryString('f[code][conditions][__proto__]=1').f, /unknown operator '__proto__'/],
  ])('refuse %j', (input, message) => {
    const read = () => readFilters(input, spec);
    expect(read).toThrow(Violation);
    expect(read).toThrow(message);
  });
});

describe('filters of one request', () => {
  const spec = { fields: ['code', 'metadata.*'], operators: ['$is', '$in'] };
  const manyFields = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`metadata.f${index + 1}`, { conditions: { $is: 'x' } }]),
    );
  const manyValues = (count: number) => ({
    code: { conditions: { $is: 'x', $in: Array.from({ length: count - 2 }, (_, index) => `v${index}`) } },
    'metadata.city': { conditions: { $is: 'y' } },
  });

  it('have 20 fields at most, the junction not counted', () => {
    const twenty = { junction: 'or', ...manyFields(20) };
    expect(Object.keys(readFilters(twenty, spec).fields)).toHaveLength(20);
    expect(() => readFilters(manyFields(21), spec)).toThrow(
      new Violation('.filters.metadata.f21', 'is one field too many: filters can have 20'),
    );
  });

  it('have 100 values at most, of all fields and operators together', () => {
    expect(readFilters(manyValues(100), spec).fields.code?.$in).toHaveLength(98);
    expect(() => readFilters(manyValues(101), spec)).toThrow(
      new Violation('.filters.metadata.city', 'has too many values: filters can have 100 together'),
    );
  });
});

describe('a list', () => {
  it('names its array', () => {
    expect(listOf('vouchers', [1, 2], { total: 7 })).toEqual({
      object: 'list',
      data_ref: 'vouchers',
      vouchers: [1, 2],
      total: 7,
    });
  });

  it('has more when one more was found', () => {
    expect(pageOf([1, 2, 3], 2)).toEqual({ items: [1, 2], hasMore: true });
    expect(pageOf([1, 2], 2)).toEqual({ items: [1, 2], hasMore: false });
  });

  it('begins where the page does', () => {
    expect(offsetOf({ page: 3, limit: 10 })).toBe(20);
    expect(orderOf('-created_at')).toEqual({ field: 'created_at', descending: true });
    expect(orderOf('code')).toEqual({ field: 'code', descending: false });
  });
});
