import { BoundedClient } from './bounded-client';
import { isOutdatedPlan } from './database-error';
import { StatementNames } from './statement-names';

const names = new StatementNames();

/** A connection that prepares the statements with parameters which its process runs often, as TypeORM itself does not:
 *  planning costs the statements of a redemption nearly as much as running them. What is given as `{ text, values }` is
 *  not prepared, for texts that callers make. For `extra.Client` of a DataSource. */
export class PreparingClient extends BoundedClient {
  // The overloads of pg differ in what they return; what is handed on is what was given.
  override query(...given: any[]): any {
    const [text, values, ...others] = given;
    const send = super.query as (...sent: any[]) => unknown;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return send.apply(this, given);
    const name = names.nameFor(text);
    if (name === undefined) return send.apply(this, given);
    const sent = send.call(this, { name, text, values }, ...others);
    if (sent instanceof Promise)
      sent.catch((error: unknown) => {
        if (isOutdatedPlan(error)) names.renew(text, name);
      });
    return sent;
  }
}
