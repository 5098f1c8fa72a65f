import { Query } from 'pg';
import { BoundedClient } from './bounded-client';
import { isOutdatedPlan } from './database-error';
import { StatementNames } from './statement-names';

const names = new StatementNames();

type Ended = (error: Error | undefined, result: unknown) => void;

/** A connection that prepares the statements with parameters which its process runs often, as TypeORM itself does not:
 *  planning costs the statements of a redemption nearly as much as running them. What is given as `{ text, values }` is
 *  not prepared, for texts that callers make. For `extra.Client` of a DataSource. */
export class PreparingClient extends BoundedClient {
  // The overloads of pg differ in what they return; what is handed on is what was given.
  override query(...given: any[]): any {
    const [text, values, callback] = given;
    const isStatement = typeof text === 'string' && Array.isArray(values) && values.length > 0;
    const name = isStatement ? names.nameFor(text) : undefined;
    const send = super.query as (...sent: any[]) => unknown;
    if (name === undefined) return send.apply(this, given);
    const run = (ended: Ended): void => {
      const query = new Query(text, values, (error: Error | undefined, result: unknown) => {
        if (isOutdatedPlan(error)) names.renew(text, name);
        ended(error, result);
      });
      // Not given to pg as one object with the text: it copies each property of such objects by its descriptor.
      send.call(this, Object.assign(query, { name }));
    };
    return typeof callback === 'function' ? run(callback as Ended) : answerOf(run);
  }
}

/** Throws an error of the server with the stack of who asked, as pg does, and not with that of the socket. */
const answerOf = async (run: (ended: Ended) => void): Promise<unknown> => {
  try {
    return await new Promise((resolve, reject) =>
      run((error, result) => (error ? reject(error) : resolve(result))),
    );
  } catch (error) {
    Error.captureStackTrace(error as Error);
    throw error;
  }
};
