import { EventEmitter, once } from 'node:events';
import { Client } from 'pg';

/** Interferes with the next statement that commits: a COMMIT, or a recording outside of any transaction. */
export const atNextCommit = (interfere: (client: Client, send: () => unknown) => unknown): void => {
  const { query } = Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const spy = jest.spyOn(Client.prototype as unknown as { query: typeof query }, 'query');
  const inTransaction = new WeakSet<object>();
  spy.mockImplementation(function (this: unknown, ...args: unknown[]) {
    const [statement] = args as [string | { text: string }];
    const text = typeof statement === 'string' ? statement : statement.text;
    if (text === 'START TRANSACTION') inTransaction.add(this as object);
    const commitsAlone = !inTransaction.has(this as object) && text.includes('INSERT INTO redemptions');
    if (text !== 'COMMIT' && !commitsAlone) return query.apply(this, args);
    spy.mockRestore();
    return interfere(this as Client, () => query.apply(this, args));
  });
};

/** Destroys the connection's socket. */
export const cut = (client: Client): void => {
  (client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
};

/** Holds the next statement that commits; `arrived` resolves when it waits for its release. */
export const holdNextCommit = (): { arrived: Promise<unknown>; release: () => void } => {
  const commit = new EventEmitter();
  atNextCommit(async (_, send) => {
    commit.emit('arrived');
    await once(commit, 'released');
    return send();
  });
  return { arrived: once(commit, 'arrived'), release: () => void commit.emit('released') };
};
