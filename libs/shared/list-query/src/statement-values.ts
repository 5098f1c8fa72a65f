/** One SQL text with its values. */
export interface SqlStatement {
  text: string;
  values: unknown[];
}

/** The values of one statement, numbered as they are used. */
export class StatementValues {
  readonly all: unknown[] = [];

  /** Takes a value and returns its placeholder: `$3`. */
  readonly add = (value: unknown): string => `$${this.all.push(value)}`;
}
