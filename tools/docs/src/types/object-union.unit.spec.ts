import type { JsonSchema } from '@scrip/edge';
import { isTagged, mergedObject } from './object-union';

const only = (...values: string[]): JsonSchema => ({ type: 'string', enum: values });
const object = (properties: Record<string, JsonSchema>, required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

describe('unions of objects', () => {
  it('are tagged where one property has another text in each', () => {
    const [amount, unit] = [object({ type: only('AMOUNT') }, []), object({ type: only('UNIT') }, [])];
    expect(isTagged([amount, unit])).toBe(true);
    expect(isTagged([amount, amount])).toBe(false);
    expect(isTagged([amount, object({ type: only('UNIT', 'AMOUNT') }, [])])).toBe(false);
    expect(isTagged([amount, { type: 'string' }])).toBe(false);
  });

  it('become one object: all properties, those required that each requires', () => {
    const full = object({ id: { type: 'string' }, of: only('b'), at: { type: 'integer' } }, ['id', 'of']);
    const brief = object({ id: { type: 'string' }, of: only('a', 'b') }, ['id']);
    expect(mergedObject([full, brief])).toEqual(
      object({ id: { type: 'string' }, of: only('a', 'b'), at: { type: 'integer' } }, ['id']),
    );
  });

  it('merge objects within them, and keep what cannot be merged as a union', () => {
    const left = object({ of: object({ a: { type: 'string' } }, ['a']), to: { type: 'string' } }, ['of']);
    const right = object({ of: object({ b: { type: 'string' } }, ['b']), to: { type: 'integer' } }, ['of']);
    expect(mergedObject([left, right])).toEqual(
      object(
        {
          of: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } },
          to: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        },
        ['of'],
      ),
    );
    expect(mergedObject([left, { type: 'string' }])).toBeNull();
  });
});
