import { Decimal } from 'decimal.js';
import { LRUCache } from 'lru-cache';
import { checkFormula } from './check';
import { type Usage, compileTree } from './compile';
import { type FormulaContext } from './context';
import { cachedFormulasMax, formulaLengthMax } from './limits';
import { type FormulaNumber, settled } from './numbers';
import { parseFormula } from './parser';
import { type FormulaProblem } from './problem';
import { type Evaluate, numberOf } from './value';

/** A compiled formula. Every evaluation that fails (a missing or null operand on the path it takes, a wrong type, a
 *  division by zero, a line operand without a line, an order operand without an order, a number beyond 10^100)
 *  results in null: the caller falls back to the plain field. Nothing throws. Source: reference 01 §8. */
export interface Formula {
  readonly text: string;
  /** Whether it looks at the current line: then it means something for item effects only, once per covered line. */
  readonly readsLine: boolean;
  /** Names of the operands in it, metadata accessors without their keys, in no particular order. */
  readonly operands: ReadonlySet<string>;
  /** The result as money: minor units, of either sign, rounded half up once. Null beyond ±(2^53 − 1). */
  amount(context: FormulaContext): number | null;
  /** The result as a count: floored, at least 0. Null beyond 2^53 − 1. */
  units(context: FormulaContext): number | null;
  /** The result as a plain decimal, for percentages and points: `12.5`, never `1e-7`, at most 24 digits after the
   *  point. */
  decimal(context: FormulaContext): string | null;
}

const safeInteger = (value: FormulaNumber): number | null => {
  const integer = value.toNumber() + 0;
  return Number.isSafeInteger(integer) ? integer : null;
};

class CompiledFormula implements Formula {
  constructor(
    readonly text: string,
    readonly operands: ReadonlySet<string>,
    readonly readsLine: boolean,
    private readonly evaluate: Evaluate,
  ) {}

  private number(context: FormulaContext): FormulaNumber | null {
    return numberOf(this.evaluate(context));
  }

  amount(context: FormulaContext): number | null {
    const number = this.number(context);
    return number && safeInteger(settled(number.times(100)).toDecimalPlaces(0, Decimal.ROUND_HALF_CEIL));
  }

  units(context: FormulaContext): number | null {
    const number = this.number(context);
    const units = number && safeInteger(settled(number).floor());
    return units && Math.max(0, units);
  }

  decimal(context: FormulaContext): string | null {
    const number = this.number(context);
    return number && settled(number).toFixed();
  }
}

const compile = (text: string): Formula | FormulaProblem => {
  const tree = parseFormula(text);
  if ('problem' in tree) return tree;
  const problem = checkFormula(tree);
  if (problem !== null) return problem;
  const usage: Usage = { operands: new Set(), readsLine: false };
  const evaluate = compileTree(tree, usage);
  return new CompiledFormula(text, usage.operands, usage.readsLine, evaluate);
};

const compiled = new LRUCache<string, Formula | FormulaProblem>({ max: cachedFormulasMax });

/** The formula that `text` spells, or the first problem with it; the last thousand texts are remembered. Money is in
 *  major units inside a formula and in minor units outside. Does not throw. Source: reference 01 §8, reference 02 §6. */
export const compileFormula = (text: string): Formula | FormulaProblem => {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const formula = compile(text);
  // Texts that are too long are refused, and not cached.
  if (text.length <= formulaLengthMax) compiled.set(text, formula);
  return formula;
};
