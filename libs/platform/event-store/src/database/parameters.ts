/** Values of a statement under construction. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Takes a value and answers its place: `$1`. */
  readonly add = (value: unknown): string => `$${this.values.push(value)}`;
}

/** Texts in quotation marks are names, never values. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
