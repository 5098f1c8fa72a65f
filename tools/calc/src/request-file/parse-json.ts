import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import type { InputProblem } from './input-problem';

const positionOf = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
};

/** `CommaExpected` as people write it: "comma expected". */
const words = (code: string): string => code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

const faultIn = (text: string): string => {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return 'not JSON: nested too deeply'; // The parser ran out of stack.
  }
  const [first] = errors;
  if (!first) return 'not JSON';
  return `not JSON: ${words(printParseErrorCode(first.error))} at ${positionOf(text, first.offset)}`;
};

/** Walking a value that is nested much deeper overflows the stack. */
const levelsMax = 1_000;

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isTooDeep = (value: unknown): boolean => {
  let containers = [value].filter(isContainer);
  for (let level = 0; level < levelsMax && containers.length > 0; level += 1) {
    containers = containers.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return containers.length > 0;
};

/** Returns the value of a JSON text, or the place of its first error. Refuses too deep nesting. */
export const parseJson = (text: string): { value: unknown } | InputProblem => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error of the runtime does not always have a position.
    return { path: '', message: faultIn(text) };
  }
  return isTooDeep(value)
    ? { path: '', message: `must not be nested deeper than ${levelsMax} levels` }
    : { value };
};
