/** One SQL text with its values. */
export interface SqlStatement {
  text: string;
  values: unknown[];
}

/** The values of one statement, numbered as they are used; behind `given`, which another statement has too. */
export class StatementValues {
  readonly all: unknown[];

  constructor(given: readonly unknown[] = []) {
    this.all = [...given];
  }

  /** Takes a value and returns its placeholder: `$3`. */
  readonly add = (value: unknown): string => `$${this.all.push(value)}`;
}
