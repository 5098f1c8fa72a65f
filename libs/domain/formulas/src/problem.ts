/** Why a text is no formula. `offset` counts UTF-16 characters from 0 and points at the first one in the way; the
 *  length of the text when something is missing at its end. `message` is a sentence for the formula's author.
 *  - `syntax`: not in the grammar; - `unknown_name`: no such operand or function; - `wrong_arguments`: their number,
 *  a metadata key missing or not wanted, a date that does not exist; - `wrong_type`: an operation that no data could
 *  make possible (`"a" * 2`); - `too_long`, `too_deep`: beyond the limits. Source: reference 01 §8. */
export interface FormulaProblem {
  readonly problem: 'syntax' | 'unknown_name' | 'wrong_arguments' | 'wrong_type' | 'too_long' | 'too_deep';
  readonly message: string;
  readonly offset: number;
}

/** Whether an answer of `compileFormula` is a problem and not a formula. Source: reference 01 §8. */
export const isFormulaProblem = (answer: object): answer is FormulaProblem => 'problem' in answer;
