import { beginningOf } from '@scrip/kernel';
import type { MetadataDefinition } from './definition';
import { limitsOf } from './limits';
import { isJsonObject, valueTypes } from './value-types';

/** Longest value that a text shows, in UTF-16 units. */
const shownMax = 256;

/** A value as texts show it: strings as they are, the rest as JSON. */
const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
  return text.length > shownMax ? `${beginningOf(text, shownMax)}...` : text;
};

/** What is wrong with nested objects: each finding with the place of its key below the key of the objects. */
export type CheckNested = (value: Record<string, unknown>, place: string) => string[];

/** One definition, ready to be asked. */
export interface CompiledDefinition {
  /** What is wrong with a value, undefined: absent; empty where nothing is. */
  problems(value: unknown): string[];
  /** The value that a text of a CSV file stands for; the text where it stands for none, so that a check names it. */
  ofCell(text: string): unknown;
}

/** Compiles one definition. `checkNested`: for objects that follow a schema. */
export const compileDefinition = (
  key: string,
  definition: MetadataDefinition,
  checkNested?: CheckNested,
): CompiledDefinition => {
  const { type, array, optional } = definition;
  const { phrase, accepts, ofCell } = valueTypes[type];
  const limits = limitsOf(definition);
  const expected = [
    phrase,
    ...(optional ? [] : ['property is required']),
    ...limits.map((limit) => limit.phrase),
  ];
  const text = `${key}: ${array ? 'must be an array, and every element: ' : ''}${expected.join(', ')}`;
  const problem = (value: unknown): string[] => [`${text} (actual value is '${shown(value)}')`];
  const fits = (value: unknown): boolean =>
    accepts(value) && limits.every((limit) => limit.holds(value as string | number));
  const cell = (one: string): unknown => ofCell?.(one) ?? one;
  return {
    problems: (value) => {
      if (value === undefined || value === null) return optional ? [] : problem(value);
      if (array ? !Array.isArray(value) || !value.every(fits) : !fits(value)) return problem(value);
      if (!checkNested) return [];
      if (isJsonObject(value)) return checkNested(value, key);
      // The first bad element is enough: a list can have as many of them as fit a body.
      for (const [index, one] of (value as Record<string, unknown>[]).entries()) {
        const problems = checkNested(one, `${key}[${index}]`);
        if (problems.length > 0) return problems;
      }
      return [];
    },
    ofCell: (one) => (array ? one.split(',').map((element) => cell(element.trim())) : cell(one)),
  };
};
