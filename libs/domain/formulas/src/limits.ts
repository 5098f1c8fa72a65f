/** Characters a formula may have. Source: reference 01 §8, reference 02 §11. */
export const formulaLengthMax = 2_000;

/** Brackets that may be open at once, and minus signs that may follow one another. */
export const nestingMax = 32;

/** What one evaluation may cost: a step for each number, name, operator and function, more where the function's
 *  table says so. Known before it runs, since formulas have no loops. */
export const evaluationStepsMax = 1_000;

/** Digits of a number written in a formula: as many as calculations keep. */
export const numberDigitsMax = 40;

/** The largest exponent of POW, of either sign. */
export const exponentMax = 1_000;

/** Compiled formulas kept for the next call. */
export const cachedFormulasMax = 1_000;

/** Digits after the point that results, comparisons and roundings look at, and that ROUND, FLOOR and CEIL reach in
 *  either direction. */
export const decimalsMax = 24;
