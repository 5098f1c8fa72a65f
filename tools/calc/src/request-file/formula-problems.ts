import { compileFormula, isFormulaProblem } from '@scrip/formulas';
import { type InputProblem, below } from './input-problem';

/** Formulas anywhere below `value` that are none, by the fields whose names end like those of formulas. */
export const formulaProblems = (value: unknown, path: string): InputProblem[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((element, index) => formulaProblems(element, below(path, index)));
  }
  return Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
    const fieldPath = below(path, name);
    if (typeof field !== 'string' || !name.endsWith('_formula')) return formulaProblems(field, fieldPath);
    const formula = compileFormula(field);
    return isFormulaProblem(formula)
      ? [{ path: fieldPath, message: `${formula.message} (character ${formula.offset + 1})` }]
      : [];
  });
};
