import { readDefinitions, type Spelling } from './definitions-request';

const read = (spelling: Spelling, age: object) => readDefinitions({ age }, 'customer', spelling);

describe('the definitions of a metadata schema', () => {
  test.each<[Spelling, string, string, unknown]>([
    ['camel', 'min_length', 'minLength', 3],
    ['camel', 'exact_length', 'exactLength', 0],
    ['camel', 'object_type', 'objectType', 'address'],
    ['snake', 'maxLength', 'max_length', 3],
    ['snake', 'objectType', 'object_type', 'address'],
  ])('in %s case refuse %s and name %s', (spelling, theirs, ours, value) => {
    expect(read(spelling, { type: 'string', [theirs]: value })).toEqual({
      refused: 'invalid_payload',
      details: `Property .properties.age.${theirs} is called ${ours} here`,
    });
  });

  test.each<[Spelling, string]>([
    ['camel', 'min_length'],
    ['snake', 'minLength'],
  ])('in %s case count %s: null as not sent', (spelling, theirs) => {
    expect(read(spelling, { type: 'string', [theirs]: null })).toMatchObject({
      properties: { age: { type: 'string' } },
    });
  });

  test.each<[Spelling, string]>([
    ['camel', 'minLength'],
    ['snake', 'min_length'],
  ])('in %s case refuse %s for numbers', (spelling, name) => {
    expect(read(spelling, { type: 'number', [name]: 3 })).toMatchObject({
      refused: 'invalid_payload',
      details: `Property .properties.age.${name} is for string only`,
    });
  });
});
