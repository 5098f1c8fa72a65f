import { IsOptional } from 'class-validator';
import { leastCpuMs, rounds } from '@scrip/testing';
import fc from 'fast-check';
import { EdgeFailure } from '../failure/failure';
import { IsFilters } from './is-filters';
import { readInput } from './input.pipe';
import {
  IsAmount,
  IsAnything,
  IsDateInput,
  IsDecimal,
  IsFlag,
  IsInteger,
  IsMetadata,
  IsOneOf,
  IsPage,
  IsText,
  IsTextList,
  Nested,
  NestedList,
} from './rules';
import { Wording } from './wording';

class Leaf {
  @IsText({ min: 1, max: 5 }) code: string;
  @IsOptional() @IsInteger({ min: 0, acceptText: true }) quantity?: number;
  @IsOptional() @IsMetadata() metadata?: object;
}

@Wording('should')
class Root {
  @IsText() name: string;
  @Nested(() => Leaf) leaf: Leaf;
  @IsOptional() @NestedList(() => Leaf, { min: 1, max: 3 }) leaves?: Leaf[];
  @IsOptional() @IsAmount() amount?: number;
  @IsOptional() @IsDateInput() date?: string;
  @IsOptional() @IsDecimal({ min: 0, max: 100 }) percent?: number;
  @IsOptional() @IsFlag() active?: boolean;
  @IsOptional() @IsOneOf(['A', 'B']) kind?: string;
  @IsOptional() @IsTextList({ max: 2, allowed: ['x', 'y'] }) texts?: string[];
  @IsOptional() @IsPage(99) page?: number;
  @IsOptional() @IsAnything() raw?: unknown;
  @IsOptional() @IsFilters({ fields: ['code'], operators: ['$is'] }) filters?: unknown;
}

const names = [
  'name',
  'leaf',
  'leaves',
  'amount',
  'date',
  'percent',
  'active',
  'kind',
  'texts',
  'page',
  'raw',
  'filters',
  'code',
  'quantity',
  'metadata',
  'conditions',
  '$is',
  'constructor',
  'toString',
  'hasOwnProperty',
  'then',
  'length',
  '__proto__',
  'prototype',
  'valueOf',
];

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      2 ** 53,
      1e308,
      '',
      'A',
      'x',
      '2026-03-31',
      '2026-02-30',
      '99',
      '100',
    ),
    fc.string(),
    fc.double({ noNaN: true }),
    fc.array(tie('value'), { maxLength: 5 }),
    // As JSON.parse makes them: `__proto__` as a name of its own.
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string()), tie('value')), { maxLength: 8 })
      .map(
        (entries) =>
          JSON.parse(
            `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value ?? null)}`).join(',')}}`,
          ) as unknown,
      ),
  ),
})).value;

describe('a malformed input', () => {
  test.each(['body', 'query'] as const)(
    'as %s never makes the pipe throw anything but a 400',
    (source) => {
      fc.assert(
        fc.property(json, (input) => {
          try {
            const read = readInput(Root, input, source);
            expect(read).toBeInstanceOf(Root);
            expect(Object.keys(read).every((name) => names.includes(name))).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(EdgeFailure);
            expect((error as EdgeFailure).failure).toMatchObject({
              status: 400,
              details: expect.any(String) as string,
            });
          }
        }),
        { numRuns: rounds(20_000) },
      );
    },
    300_000,
  );

  it('is told in the wording of its chapter', () => {
    const detailsOf = (input: unknown) => {
      try {
        readInput(Root, input, 'body');
        return null;
      } catch (error) {
        return (error as EdgeFailure).failure.details;
      }
    };
    const good = { name: 'n', leaf: { code: 'c' } };
    expect(detailsOf(good)).toBeNull();
    expect(detailsOf({ leaf: { code: 'c' } })).toBe("Payload should have required property 'name'");
    expect(detailsOf({ name: 'n' })).toBe("Payload should have required property 'leaf'");
    expect(detailsOf({ name: 'n', leaf: null })).toBe('Property .leaf should be object');
    expect(detailsOf({ ...good, leaves: [{ code: 'c' }, {}] })).toBe(
      "Property .leaves[1] should have required property 'code'",
    );
    expect(detailsOf({ ...good, leaf: { code: 'c', quantity: 'x' } })).toBe(
      'Property .leaf.quantity should be integer',
    );
    expect(detailsOf({ ...good, percent: 101 })).toBe('Property .percent must be <= 100');
    expect(detailsOf({ ...good, leaves: [] })).toBe('Property .leaves should NOT have fewer than 1 items');
    expect(detailsOf({ ...good, texts: ['z'] })).toBe(
      'Property .texts should be equal to one of the allowed values [ x, y ]',
    );
  });

  it('that nests or weighs too much as metadata is refused', () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });
    const read = (metadata: object) => () => readInput(Leaf, { code: 'c', metadata }, 'body');
    expect(read(deep(15))).not.toThrow();
    expect(read(deep(17))).toThrow('Property .metadata should NOT be nested deeper than 16 levels');
    expect(read({ a: 'x'.repeat(65_528) })).not.toThrow();
    expect(read({ a: 'x'.repeat(65_529) })).toThrow(
      'Property .metadata should NOT be larger than 65536 bytes',
    );
  });

  it('with millions of elements is refused before any is looked at', () => {
    const leaves = Array.from({ length: 2_000_000 }, () => ({}));
    const read = () => readInput(Root, { name: 'n', leaf: { code: 'c' }, leaves }, 'body');
    expect(
      leastCpuMs(() => expect(read).toThrow('Property .leaves should NOT have more than 3 items'), {
        runs: 5,
      }),
    ).toBeLessThan(100);
  });
});
