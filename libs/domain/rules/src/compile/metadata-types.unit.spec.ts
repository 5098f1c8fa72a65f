import { isRefused } from '@scrip/kernel';
import { rulesHold } from '../evaluation/evaluate-rules';
import { cart, contextOf, orderPart, someone } from '../rules.fixture';
import { compileRule } from './compile-rule';
import type { MetadataTypes } from './metadata-types';

const types: Record<string, string> = {
  'customer.since': 'datetime',
  'customer.born': 'date',
  'customer.score': 'number',
  'order_item.size': 'number',
};
const ofSchema: MetadataTypes = (schema, property) => types[`${schema}.${property}`];

const holds = (
  {
    name = 'customer.metadata',
    property,
    conditions,
  }: { name?: string; property: string; conditions: object },
  value: unknown,
  metadataTypes?: MetadataTypes,
): boolean => {
  const definition = { name: 'A', rules: { 1: { name, property, conditions } } };
  const rule = compileRule(definition, 'val_1', metadataTypes);
  if (isRefused(rule)) throw new Error(rule.details);
  const metadata = { [property]: value };
  return rulesHold(
    [rule],
    contextOf({
      customer: { ...someone, metadata },
      order: orderPart(cart([{ product: 'prod_1', price: 100, metadata }])),
    }),
    'FULL',
  );
};

describe('metadata of a type that the schema gives (reference 02 §2)', () => {
  it.each<[string, string, unknown, unknown]>([
    ['instants however they are written', 'since', '2024-03-10T03:30:00Z', '2024-03-10T03:30:00.000Z'],
    ['instants with an offset', 'since', '2024-03-10T03:30:00Z', '2024-03-10T05:30:00+02:00'],
    ['days', 'born', '2024-03-10', '2024-03-10'],
    ['numbers and numeric texts', 'score', '1.50', 1.5],
  ])('%s are equal by value', (_, property, operand, value) => {
    const listed = [value, value];
    expect(holds({ property, conditions: { $is: [operand] } }, value, ofSchema)).toBe(true);
    expect(holds({ property, conditions: { $in: ['x', operand] } }, listed, ofSchema)).toBe(true);
    expect(holds({ property, conditions: { $is_not: [operand] } }, value, ofSchema)).toBe(false);
    expect(holds({ property, conditions: { $not_intersect: [operand] } }, listed, ofSchema)).toBe(false);
    expect(holds({ property, conditions: { $not_differ: [operand] } }, listed, ofSchema)).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ['since', '2024-03-10T03:30:00Z', '2024-03-10T03:30:00.000Z'],
    ['score', '1.50', 1.5],
  ])('%s without a type compares as text', (property, operand, value) => {
    expect(holds({ property, conditions: { $is: [operand] } }, value)).toBe(false);
    expect(holds({ property, conditions: { $is: [value] } }, value)).toBe(true);
  });

  it('a day is no instant, and another number is another number', () => {
    expect(
      holds({ property: 'born', conditions: { $is: ['2024-03-10T00:00:00Z'] } }, '2024-03-10', ofSchema),
    ).toBe(false);
    expect(holds({ property: 'score', conditions: { $is: ['1.51'] } }, 1.5, ofSchema)).toBe(false);
  });

  it('a value that is not of its type compares as text, and other operators take it as before', () => {
    expect(holds({ property: 'score', conditions: { $is: ['many'] } }, 'many', ofSchema)).toBe(true);
    expect(holds({ property: 'score', conditions: { $more_than: [1] } }, '1.50', ofSchema)).toBe(true);
    expect(holds({ property: 'since', conditions: { $starts_with: ['2024'] } }, '2024-03-10', ofSchema)).toBe(
      true,
    );
  });

  it('lines of the order have a schema of their own', () => {
    const rule = { name: 'order.items.metadata_any', property: 'size', conditions: { $is: ['42.0'] } };
    expect(holds(rule, 42, ofSchema)).toBe(true);
    expect(holds({ ...rule, property: 'score', conditions: { $is: ['42.0'] } }, 42, ofSchema)).toBe(false);
  });
});
