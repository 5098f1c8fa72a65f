export type { FormulaContext, FormulaLine, FormulaOrder } from './context';
export { type Formula, compileFormula } from './formula';
export { isFormulaProblem } from './problem';
