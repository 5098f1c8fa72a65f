import type { SqlStatement } from '@scrip/list-query';
import type { PoolClient, QueryResultRow } from 'pg';

/** What a statement may run beyond its time rather than cost a round trip. */
const slackMs = 100;

// A list of many rows would take processors from commands, and starting workers takes longer than most lists.
const oneProcess = 'SET LOCAL max_parallel_workers_per_gather = 0';

// What lists read is in memory or on a disk without heads: by the server's default, made for disks with heads, a thousand lookups
// by an index would cost more than reading a hundred thousand rows.
const lookupsAreCheap = 'SET LOCAL random_page_cost = 1.1';

const timeout = (ms: number): string => `SET LOCAL statement_timeout = ${Math.ceil(ms)}`;

/** The statements of one list on one connection. Their time ends with the transaction, so that no statement has to take
 *  it back before the connection is used for something else. */
export class ListTransaction {
  private limitMs = Infinity;

  /** `leftMs` tells what a statement that begins now may take; where it throws, none begins. */
  constructor(
    private readonly client: PoolClient,
    private readonly leftMs: () => number,
  ) {}

  async begin(): Promise<void> {
    this.limitMs = this.leftMs();
    await this.client.query(`BEGIN READ ONLY; ${oneProcess}; ${lookupsAreCheap}; ${timeout(this.limitMs)}`);
  }

  /** Runs one statement without a name: a caller can make more texts than connections should keep plans of. */
  async run<Row extends QueryResultRow>({ text, values }: SqlStatement): Promise<Row[]> {
    const leftMs = this.leftMs();
    if (leftMs < this.limitMs - slackMs) {
      this.limitMs = leftMs;
      await this.client.query(timeout(leftMs));
    }
    return (await this.client.query<Row>({ text, values })).rows;
  }

  /** Gives the connection back, or closes it where it does not answer. Never throws. */
  end(): Promise<void> {
    return this.client.query('COMMIT').then(
      () => this.client.release(),
      (error: Error) => this.client.release(error),
    );
  }
}
