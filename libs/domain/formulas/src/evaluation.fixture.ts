import { type FormulaContext, type FormulaLine, type FormulaOrder } from './context';
import { type Formula, compileFormula } from './formula';
import { type FormulaProblem, isFormulaProblem } from './problem';

export const line = (fields: Partial<FormulaLine> = {}): FormulaLine => ({
  price: 6_500,
  amount: 13_000,
  subtotal: 12_000,
  quantity: 2,
  metadata: {},
  productMetadata: {},
  ...fields,
});

export const order = (fields: Partial<FormulaOrder> = {}): FormulaOrder => ({
  amount: 46_500,
  lines: [],
  metadata: {},
  bundleQuantity: undefined,
  ...fields,
});

/** Noon of 31 March 2026 in Warsaw, two hours ahead of UTC; nothing else is there unless given. */
export const contextOf = (fields: Partial<FormulaContext> = {}): FormulaContext => ({
  now: new Date('2026-03-31T10:00:00.000Z'),
  timezone: 'Europe/Warsaw',
  order: null,
  line: null,
  customer: null,
  redeemableMetadata: {},
  redemptionMetadata: {},
  publicationMetadata: {},
  voucher: null,
  promotionTier: null,
  ...fields,
});

/** The formula of a text that must be one. */
export const formulaOf = (text: string): Formula => {
  const formula = compileFormula(text);
  if (isFormulaProblem(formula)) throw new Error(`${formula.message} (at ${formula.offset} of ${text})`);
  return formula;
};

/** The problem of a text that must have one. */
export const problemOf = (text: string): FormulaProblem => {
  const problem = compileFormula(text);
  if (!isFormulaProblem(problem)) throw new Error(`accepted: ${text}`);
  return problem;
};

/** The decimal that a formula results in; null where it fails. */
export const resultOf = (text: string, fields: Partial<FormulaContext> = {}): string | null =>
  formulaOf(text).decimal(contextOf(fields));

/** Whether a condition holds; null where it fails. */
export const holds = (condition: string, fields: Partial<FormulaContext> = {}): boolean | null => {
  const answer = resultOf(`IF(${condition}; 1; 0)`, fields);
  return answer === null ? null : answer === '1';
};
