import { ArrayUnique, IsArray, IsIn, IsOptional, ValidateIf, validateSync } from 'class-validator';
import { instantiate } from './instantiate';
import { IsInteger, IsText, Nested, NestedList } from './rules';
import { rulesHold } from './rules-hold';

class Leaf {
  @IsText({ max: 3 }) code: string;
}

class Inherited {
  @IsOptional() @IsText({ max: 3 }) name?: string | null;
}

class Root extends Inherited {
  @IsInteger({ min: 1 }) count: number;
  @IsOptional() @Nested(() => Leaf) leaf?: Leaf | null;
  @IsOptional() @NestedList(() => Leaf, { max: 2 }) leaves?: Leaf[];
  @IsOptional() @IsArray() @ArrayUnique() unique?: unknown[];
  @ValidateIf(({ count }: Root) => count > 1) @IsIn(['a', 'b']) kind?: string;
}

class OfEach {
  @IsIn(['a'], { each: true }) kinds: string[];
}

const isFine = (instance: object): boolean =>
  validateSync(instance, { forbidUnknownValues: false }).length === 0;

describe('whether the rules of an input hold', () => {
  it.each<[string, object, boolean]>([
    ['all that is asked', { count: 1 }, true],
    ['something missing', {}, false],
    ['null where that may be absent', { count: 1, name: null, leaf: null }, true],
    ['null where it may not', { count: null }, false],
    ['an inherited rule broken', { count: 1, name: 'long' }, false],
    ['a nested value', { count: 1, leaf: { code: 'abc' } }, true],
    ['a nested value broken', { count: 1, leaf: { code: 'abcd' } }, false],
    ['nested values', { count: 1, leaves: [{ code: 'abc' }, { code: '' }] }, true],
    ['one of nested values broken', { count: 1, leaves: [{ code: 'abc' }, {}] }, false],
    ["a rule of class-validator's own", { count: 1, unique: [1, 2] }, true],
    ["a rule of class-validator's own broken", { count: 1, unique: [1, 1] }, false],
    ['a rule that is not asked', { count: 1, kind: 'c' }, true],
    ['a rule that is asked', { count: 2, kind: 'b' }, true],
    ['a rule that is asked and broken', { count: 2, kind: 'c' }, false],
  ])('is what class-validator finds: %s', (_, input, expected) => {
    const instance = instantiate(Root, input, 'body');
    expect([rulesHold(instance), isFine(instance)]).toEqual([expected, expected]);
  });

  it('is left to class-validator where a rule is of each element', () => {
    const instance = instantiate(OfEach, { kinds: ['a'] }, 'body');
    expect([rulesHold(instance), isFine(instance)]).toEqual([false, true]);
  });
});
