/** What is wrong with the file. `path`: the field (`order.items[0].quantity`), empty for the file as a whole. */
export interface InputProblem {
  readonly path: string;
  readonly message: string;
}

/** One line about a problem. */
export const problemLine = ({ path, message }: InputProblem): string =>
  path === '' ? message : `${path}: ${message}`;

/** The field or element `step` of what `path` leads to. */
export const below = (path: string, step: string | number): string => {
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
};
