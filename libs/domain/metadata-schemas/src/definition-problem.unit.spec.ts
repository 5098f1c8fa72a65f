import type { MetadataDefinition } from './definition';
import { definitionProblem } from './definition-problem';

const problemOf = (schema: string, more: Partial<MetadataDefinition>): string | null => {
  const found = definitionProblem(schema, { type: 'string', array: false, optional: true, ...more });
  return found && `${found.property} ${found.problem}`;
};

describe('a definition (reference 07 §8)', () => {
  it.each<[string, Partial<MetadataDefinition>, string | null]>([
    ['order', { type: 'object', object_type: 'address' }, null],
    ['order', { type: 'object' }, null],
    ['address', { type: 'object' }, 'type cannot be object: a schema that others nest has no nested objects'],
    ['customer', { type: 'geopoint' }, null],
    ['product', { type: 'geopoint' }, null],
    [
      'order',
      { type: 'geopoint' },
      'type cannot be geopoint: only schemas of customer and product have geopoints',
    ],
    [
      'order',
      { type: 'object', object_type: 'customer' },
      'object_type cannot be customer: only schemas of other names are nested',
    ],
    ['order', { type: 'string', object_type: 'address' }, 'object_type is for the type object only'],
    ['order', { type: 'string', eq: ['a'], min_length: 1 }, null],
    ['order', { type: 'number', eq: [1], ne: [2], lt: 3, lte: 3, gt: 1, gte: 1 }, null],
    ['order', { type: 'boolean', eq: ['a'] }, 'eq is for string and number only'],
    ['order', { type: 'boolean', eq: [], ne: [] }, null],
    ['order', { type: 'string', eq: ['a', 1] }, 'eq must have values of the type string only'],
    ['order', { type: 'number', eq: ['a'] }, 'eq must have values of the type number only'],
    ['order', { type: 'string', ne: [1] }, 'ne is for number only'],
    ['order', { type: 'string', lt: 1 }, 'lt is for number only'],
    ['order', { type: 'number', max_length: 1 }, 'max_length is for string only'],
  ])('of %s: %j', (schema, more, problem) => {
    expect(problemOf(schema, more)).toBe(problem);
  });
});
