export type { FormulaContext, FormulaLine, FormulaMetadata, FormulaOrder } from './context';
export { type Formula, compileFormula } from './formula';
export { type FormulaProblem, isFormulaProblem } from './problem';
