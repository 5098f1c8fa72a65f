/** Lets a promise be awaited later, or never where something else is refused first: its error is thrown only to those who await
 *  it, and is no unhandled rejection. */
export const heardLater = <T>(looking: Promise<T>): Promise<T> => {
  looking.catch(() => undefined);
  return looking;
};
