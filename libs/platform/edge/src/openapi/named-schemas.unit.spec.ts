import type { JsonSchema } from './json-schema';
import { NamedSchemas } from './named-schemas';

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties });
const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const text: JsonSchema = { type: 'string' };
const only = (value: string): JsonSchema => ({ type: 'string', enum: [value] });

const named = (name: string, schema: JsonSchema): Record<string, JsonSchema> => {
  const schemas = new NamedSchemas();
  expect(schemas.put(name, schema)).toEqual(reference(name));
  return schemas.all();
};

describe('names of schemas', () => {
  it('gives an object within another the name of its place', () => {
    expect(named('Voucher', object({ redemption: object({ url: text }) }))).toEqual({
      Voucher: object({ redemption: reference('VoucherRedemption') }),
      VoucherRedemption: object({ url: text }),
    });
  });

  it('keeps what a property means beside the reference', () => {
    const within = { ...object({ url: text }), description: 'Uses.' };
    expect(named('Voucher', object({ redemption: within })).Voucher).toEqual(
      object({ redemption: { ...reference('VoucherRedemption'), description: 'Uses.' } }),
    );
  });

  it('takes the name that the source gives', () => {
    const order = { ...object({ id: text }), title: 'OrderRequest' };
    expect(named('Request', object({ order, orders: { type: 'array', items: order } }))).toEqual({
      OrderRequest: object({ id: text }),
      Request: object({
        order: reference('OrderRequest'),
        orders: { type: 'array', items: reference('OrderRequest') },
      }),
    });
  });

  it('reaches into lists, maps, families of properties and unions', () => {
    const one = object({ a: text });
    const schema = object({
      hours_of_day: { type: 'array', items: one },
      by_id: { type: 'object', additionalProperties: one },
      families: { type: 'object', patternProperties: { '^x': one } },
      maybe: { anyOf: [one, { type: 'null' }] },
    });
    expect(Object.keys(named('T', schema))).toEqual([
      'T',
      'TByIdValue',
      'TFamiliesX',
      'THoursOfDayItem',
      'TMaybe',
    ]);
  });

  it('tells tagged objects apart by a discriminator, null beside them', () => {
    const union = {
      anyOf: [object({ kind: only('BIG_ONE') }), object({ kind: only('small') }), { type: 'null' }],
    };
    expect(named('T', object({ of: union })).T).toEqual(
      object({
        of: {
          anyOf: [
            {
              oneOf: [reference('TOfBigOne'), reference('TOfSmall')],
              discriminator: {
                propertyName: 'kind',
                mapping: {
                  BIG_ONE: '#/components/schemas/TOfBigOne',
                  small: '#/components/schemas/TOfSmall',
                },
              },
            },
            { type: 'null' },
          ],
        },
      }),
    );
  });

  it('leaves a union alone that no text tells apart', () => {
    const union = { anyOf: [object({ a: text }), object({ b: text })] };
    expect(named('T', union).T).toEqual({ anyOf: [reference('T1'), reference('T2')] });
  });

  it('refuses one name for two schemas, and a name without one', () => {
    const schemas = new NamedSchemas();
    schemas.put('T', text);
    expect(() => schemas.put('T', text)).not.toThrow();
    expect(() => schemas.put('T', { type: 'integer' })).toThrow('two schemas have the name T');
    expect(() => schemas.reference('U')).toThrow('no schema of the type U');
  });
});
