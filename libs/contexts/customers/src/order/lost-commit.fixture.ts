import { Client } from 'pg';

type Query = (this: Client, ...args: unknown[]) => unknown;

/** Cuts the connection of the next COMMIT before it is sent; its sender learns of that when `meanwhile` has ended.
 *  Returns how many commits were lost so far, a function. */
export const losingNextCommit = (meanwhile: () => Promise<void>): (() => number) => {
  const prototype = Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  let lost = 0;
  const spy = jest.spyOn(prototype, 'query').mockImplementation(function (this: Client, ...args: unknown[]) {
    if (args[0] !== 'COMMIT') return query.apply(this, args);
    spy.mockRestore();
    lost += 1;
    (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    return meanwhile().then(() => query.apply(this, args));
  });
  return () => lost;
};
