import type { Line, Measure, Quantifier, Reading } from '../catalogue/rule-entry';
import {
  type CompiledConditions,
  type ConditionProblem,
  type ConditionsDefinition,
  checkConditions,
  compileConditions,
  isProblem,
} from '../conditions/conditions';
import type { RuleContext } from '../evaluation/rule-context';
import { amongMatched, selectLines } from '../lines/line-selection';
import { linesIn } from '../lines/lines-in';
import {
  type ProductConditions,
  type ProductSet,
  isInPool,
  isInSet,
  isInSets,
  readProductConditions,
} from '../lines/product-matching';
import { type MetadataTypes, kindOfMetadata } from './metadata-types';
import { propertyReader } from './property-path';

/** Why a rule does not hold. `operator` null: it has no condition, but what it is about does not exist.
 *  `actual`: what was measured, null where nothing was; a list with an element per line for rules about lines. */
export interface FailedCondition {
  readonly operator: string | null;
  readonly expected: readonly unknown[];
  readonly actual: unknown;
}

/** A rule's own test, without the rules below it. `matched`: the lines that the rule above found. */
export interface OwnTest {
  holds(context: RuleContext, matched: readonly Line[]): boolean;
  /** Why it does not hold; where it holds, what it looked at and its first condition. */
  failure(context: RuleContext, matched: readonly Line[]): FailedCondition;
  /** The lines that it finds, for rules about lines. */
  find?(context: RuleContext): readonly Line[];
}

/** What compiling a rule's test takes. */
export interface RuleParts {
  readonly name: string;
  readonly measure: Measure;
  readonly property: string | null;
  readonly conditions: ConditionsDefinition;
  readonly metadataTypes: MetadataTypes;
  /** How the rule above found its lines. */
  readonly above: Quantifier;
}

const linesOf = ({ order }: RuleContext): readonly Line[] => linesIn(order?.before);

/** The value that a reading gives. Undefined: there is no such thing. */
const readerOf = <Subject>(
  reading: Reading<Subject>,
  property: string | null,
): ((subject: Subject) => unknown) => {
  if ('value' in reading) return (subject) => reading.value(subject);
  const propertyIn = propertyReader(property ?? '');
  return (subject) => {
    const metadata = reading.metadata(subject);
    return metadata === undefined ? undefined : propertyIn(metadata);
  };
};

/** What failed: the first condition that the value does not satisfy, else the first one, of a value that is not there. */
const failureOf = (
  definition: ConditionsDefinition,
  compiled: CompiledConditions,
  value: unknown,
  context: RuleContext,
): Omit<FailedCondition, 'actual'> => {
  const failed = compiled.failed(value, context);
  if (failed) return { operator: failed.operator, expected: failed.expected };
  const [operator] = Object.keys(definition);
  if (operator === undefined) return { operator: null, expected: [] };
  return { operator, expected: definition[operator] as readonly unknown[] };
};

/** What failed of conditions on products: the first that by itself lacks lines, else what lines must be (the pool was
 *  not empty), else the first. */
const failureOfSets = (
  quantifier: Quantifier,
  { sets, inOrderSent }: ProductConditions,
  lines: readonly Line[],
): Omit<FailedCondition, 'actual'> => {
  const lacksLines = (set: ProductSet): boolean =>
    quantifier === 'every'
      ? lines.some((line) => !isInSet(line, set))
      : !lines.some((line) => isInSet(line, set));
  const failed = inOrderSent.find(lacksLines) ?? sets[0] ?? inOrderSent[0];
  return { operator: failed?.operator ?? null, expected: failed?.expected ?? [] };
};

const compileProducts = (
  { quantifier, entriesName }: Extract<Measure, { of: 'products' }>,
  { name, conditions }: RuleParts,
): OwnTest | ConditionProblem => {
  const problem = checkConditions(conditions, 'products', name);
  if (problem) return problem;
  const products = readProductConditions(conditions, entriesName, name);
  if (isProblem(products)) return products;
  const selection = selectLines(
    quantifier,
    (line) => isInSets(line, products),
    (line) => isInPool(line, products),
  );
  return {
    holds: (context) => context.order !== null && selection.holds(linesOf(context), context),
    find: (context) => selection.matched(linesOf(context), context),
    failure: (context) => ({
      ...failureOfSets(quantifier, products, linesOf(context)),
      actual: linesOf(context).map(
        ({ identity }) =>
          identity.skuId ?? identity.productId ?? identity.skuSourceId ?? identity.productSourceId ?? null,
      ),
    }),
  };
};

/** The test of a rule by itself, or what is wrong with its conditions. */
export const compileOwnTest = (parts: RuleParts): OwnTest | ConditionProblem => {
  const { name, measure, property, conditions } = parts;
  if (measure.of === 'products') return compileProducts(measure, parts);
  const kind =
    'kind' in measure ? measure.kind : kindOfMetadata(parts.metadataTypes(measure.schema, property ?? ''));
  const compiled = compileConditions(conditions, kind, name);
  if (isProblem(compiled)) return compiled;
  const failure = (value: unknown, context: RuleContext): Omit<FailedCondition, 'actual'> =>
    failureOf(conditions, compiled, value, context);

  switch (measure.of) {
    case 'request': {
      const read = readerOf(measure, property);
      return {
        holds: (context) => {
          const value = read(context);
          return value !== undefined && compiled.hold(value, context);
        },
        failure: (context) => {
          const value = read(context) ?? null;
          return { ...failure(value, context), actual: value };
        },
      };
    }
    case 'lines': {
      const read = readerOf(measure, property);
      const selection = selectLines(
        measure.quantifier,
        (line, at) => compiled.hold(read(line), at),
        () => true,
      );
      return {
        holds: (context) => selection.holds(linesOf(context), context),
        find: (context) => selection.matched(linesOf(context), context),
        failure: (context) => {
          const actual = linesOf(context).map((line) => read(line) ?? null);
          const failing = actual.find((value) => !compiled.hold(value, context));
          return { ...failure(failing, context), actual };
        },
      };
    }
    case 'matchedLine': {
      const read = readerOf(measure, property);
      const holdFor = amongMatched(parts.above);
      return {
        holds: (context, matched) => holdFor(matched, (line, at) => compiled.hold(read(line), at), context),
        failure: (context, matched) => {
          const actual = matched.map((line) => read(line) ?? null);
          const failing = actual.find((value) => !compiled.hold(value, context));
          return { ...failure(failing, context), actual };
        },
      };
    }
    case 'matchedLines': {
      const read = readerOf(measure, property);
      return {
        holds: (context, matched) => compiled.hold(read({ matched, all: linesOf(context) }), context),
        failure: (context, matched) => {
          const value = read({ matched, all: linesOf(context) }) ?? null;
          return { ...failure(value, context), actual: value };
        },
      };
    }
  }
};
