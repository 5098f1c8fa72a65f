/** A list was asked for a page that it does not go to. Thrown between the decorators and the pipe only. */
export class PageOverLimit extends Error {
  override readonly name = 'PageOverLimit';

  constructor(readonly highestPage: number) {
    super(`page above ${highestPage}`);
  }
}
