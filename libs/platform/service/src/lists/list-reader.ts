import { classifyDatabaseError, poolOf } from '@scrip/event-store';
import { Fault, halfForEach, type RequestContext, Turns } from '@scrip/kernel';
import type { ListStatements, SqlStatement } from '@scrip/list-query';
import type { Pool, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';
import { ListTransaction } from './list-transaction';

/** The size of the pool that lists share with everything else of their context, and the longest statement. */
export interface ListLimits {
  poolSize: number;
  statementTimeoutMs: number;
}

/** Whose list it is, and until when its caller waits. */
type Caller = Pick<RequestContext, 'project' | 'deadlineAt'>;

const shareOfPool = 0.4;
const waitingMax = 100;
const patienceMs = 5_000;

const faultOf = (cause: unknown): unknown => {
  const { kind } = classifyDatabaseError(cause);
  if (kind === 'timeout') return new Fault('deadline', 'a list took longer than its caller waits', { cause });
  if (kind !== 'lost' && kind !== 'transient') return cause;
  return new Fault('unavailable', `PostgreSQL did not answer (${kind})`, { cause });
};

/** Runs the statements of a context's lists, which callers can make slow. They take at most four of ten connections, two for
 *  one project: those of a list run one after another on one connection. None goes on after its caller's deadline.
 *  Machine time: deadlines. Source: ADR 69. */
export class ListReader {
  readonly turns: Turns;
  private readonly pool: Pool;
  private readonly statementTimeoutMs: number;

  /** `dataSource` is connected. */
  constructor(dataSource: DataSource, { poolSize, statementTimeoutMs }: ListLimits) {
    this.pool = poolOf(dataSource);
    this.statementTimeoutMs = statementTimeoutMs;
    this.turns = new Turns(
      {
        turns: halfForEach(Math.max(1, Math.floor(poolSize * shareOfPool))),
        places: halfForEach(waitingMax),
      },
      'too many lists are read at one time',
    );
  }

  /** Returns the rows of a page and how many rows match, as far as lists count; a last page, unless behind a cursor, says that by itself. Throws a
   *  `Fault`: `overloaded` where too many lists are read, `deadline`, or `unavailable`. */
  page<Row extends QueryResultRow>(
    caller: Caller,
    { page, count, limit, offset, behindCursor = false }: ListStatements,
  ): Promise<{ rows: Row[]; total: number }> {
    return this.read(caller, async (transaction) => {
      const rows = await transaction.run<Row>(page);
      const isLast = rows.length < limit && (rows.length > 0 || offset === 0);
      if (isLast && !behindCursor) return { rows, total: offset + rows.length };
      const [counted] = await transaction.run<{ total: string }>(count);
      return { rows, total: Number(counted?.total ?? 0) };
    });
  }

  /** Returns the rows of a list that counts nothing. Throws as `page` does. */
  rows<Row extends QueryResultRow>(caller: Caller, statement: SqlStatement): Promise<Row[]> {
    return this.read(caller, (transaction) => transaction.run<Row>(statement));
  }

  private async read<T>(caller: Caller, work: (transaction: ListTransaction) => Promise<T>): Promise<T> {
    const endTurn = await this.turns.take(caller.project.id, Math.min(patienceMs, this.leftMs(caller)));
    const client = await this.pool.connect().catch((error: unknown) => {
      endTurn();
      throw faultOf(error);
    });
    const transaction = new ListTransaction(client, () => this.leftMs(caller));
    try {
      await transaction.begin();
      return await work(transaction);
    } catch (error) {
      throw faultOf(error);
    } finally {
      // The answer waits for no further round trip.
      void transaction.end().finally(endTurn);
    }
  }

  private leftMs({ deadlineAt }: Caller): number {
    const leftMs = Math.min(deadlineAt - Date.now(), this.statementTimeoutMs);
    if (leftMs <= 0) throw new Fault('deadline', 'the deadline passed before a list was read');
    return leftMs;
  }
}
