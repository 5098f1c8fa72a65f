/** The first thing wrong with an input: where (`.items[0].quantity`, empty for the root) and what ("must be integer").
 *  Thrown between the pipe and its parts only. */
export class Violation extends Error {
  override readonly name = 'Violation';

  constructor(
    readonly path: string,
    readonly text: string,
  ) {
    super(`${path} ${text}`);
  }
}

/** What is wrong as a whole sentence of its chapter, which names the place itself. */
export class WholeViolation extends Violation {
  constructor(readonly sentence: string) {
    super('', sentence);
  }
}
