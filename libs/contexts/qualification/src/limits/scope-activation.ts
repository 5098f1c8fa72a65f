import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { runQuery, untilWritersEnd } from '@scrip/event-store';
import { Fault, type RequestContext } from '@scrip/kernel';
import type { Counted } from '@scrip/order-preview';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import {
  addDifferencesSql,
  differencesSql,
  heldTurnsSql,
  openScopesSql,
  storeScopesSql,
  takeTurnsSql,
} from './activation.sql';
import { type CounterScope, scopeName } from './counter';

/** A scope to be counted. `isNew`: nothing that counts in it can have been redeemed. */
export interface WantedScope extends CounterScope {
  isNew?: boolean;
}

/** The turn of this execution on a scope, by its number. */
interface Turn extends CounterScope {
  attempt: number;
}

type Difference = Counted & { scope: string; object: string; subject: string; day: string } & Pick<
    CounterScope,
    'counted_by'
  >;

const pollMs = 5;
const rowsAtOnce = 2_000;

/** Another execution counts one of these scopes. */
class Superseded extends Error {}

const columnsOf = (scopes: readonly CounterScope[]): [string[], string[]] => [
  scopes.map(({ object }) => object),
  scopes.map(({ counted_by }) => counted_by),
];

const turnColumns = (turns: readonly Turn[]): unknown[] => [
  ...columnsOf(turns),
  turns.map(({ attempt }) => attempt),
];

const distinct = (scopes: readonly WantedScope[]): WantedScope[] => [
  ...new Map(scopes.map((scope) => [scopeName(scope), scope])).values(),
];

/** Begins to keep counters, with what was redeemed before. Nothing waits for it: recordings and rollbacks that see the
 *  scope change its counters; those that do not are waited for; then a snapshot is counted, and what its counters lack is
 *  added. Source: architecture §8, Limits; ADR 35.
 *  Machine time: leases and deadlines. */
@Injectable()
export class ScopeActivation {
  /** How long an execution that says nothing keeps its turn. */
  private readonly leaseMs: number = 30_000;

  constructor(@InjectDataSource('qualification') private readonly dataSource: DataSource) {}

  /** Returns when the counters of the scopes count everything; at once where they do already. Where it throws, or the process
   *  dies, another call goes on. Throws `Fault` `deadline`. */
  async activate({ project, deadlineAt }: RequestContext, wanted: readonly WantedScope[]): Promise<void> {
    if (wanted.length === 0) return;
    const scopes = distinct(wanted);
    const states = scopes.map(({ isNew = false }) => (isNew ? 'ACTIVE' : 'COUNTING'));
    await this.query(storeScopesSql, [project.id, ...columnsOf(scopes), states]);
    for (;;) {
      const open = await this.query<CounterScope>(openScopesSql, [project.id, ...columnsOf(scopes)]);
      if (open.length === 0) return;
      const turns = await this.query<Turn>(takeTurnsSql, [project.id, ...columnsOf(open), this.leaseMs]);
      if (turns.length > 0) await this.count(project.id, turns, deadlineAt);
      else if (Date.now() >= deadlineAt) throw new Fault('deadline', 'a limit is still being counted');
      else await pause(pollMs);
    }
  }

  private async count(projectId: string, turns: readonly Turn[], deadlineAt: number): Promise<void> {
    const renewal = setInterval(() => void this.renew(projectId, turns), this.leaseMs / 3);
    try {
      // Those that may have begun to write without seeing the scopes.
      await untilWritersEnd(this.dataSource, ['redemptions', 'redemption_outcomes'], deadlineAt);
      await this.inSnapshot(async (runner) => {
        await runner.query(`DECLARE differences NO SCROLL CURSOR FOR ${differencesSql}`, [
          projectId,
          ...columnsOf(turns),
        ]);
        for (;;) {
          const page = (await runner.query(`FETCH ${rowsAtOnce} FROM differences`)) as Difference[];
          if (page.length > 0) await this.add(projectId, turns, page);
          if (page.length < rowsAtOnce) return;
        }
      });
      await this.query(heldTurnsSql(`state = 'ACTIVE', lease_until = NULL`), [
        projectId,
        ...turnColumns(turns),
      ]);
    } catch (error) {
      await this.giveUp(projectId, turns);
      if (!(error instanceof Superseded)) throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Keeps the turns while a long history is read: two executions that took them from each other would never end. */
  private async renew(projectId: string, turns: readonly Turn[]): Promise<void> {
    await this.query(heldTurnsSql(this.leaseSql()), [projectId, ...turnColumns(turns)]).catch(
      () => undefined, // the next one may reach the database
    );
  }

  private leaseSql(): string {
    return `lease_until = now() + interval '${this.leaseMs} ms'`;
  }

  private async inSnapshot(work: (runner: QueryRunner) => Promise<void>): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.connect();
      await runner.query(
        'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0; SET LOCAL transaction_timeout = 0',
      );
      await work(runner);
    } finally {
      await runner.query('ROLLBACK').catch(() => undefined); // nothing was written
      await runner.release();
    }
  }

  private add(projectId: string, turns: readonly Turn[], page: readonly Difference[]): Promise<unknown> {
    const scopes = new Set(page.map(({ scope: object, counted_by }) => scopeName({ object, counted_by })));
    const concerned = turns.filter((turn) => scopes.has(scopeName(turn)));
    return this.whileMine(projectId, concerned, (manager) =>
      manager.query(addDifferencesSql, [
        projectId,
        page.map(({ object }) => object),
        page.map(({ counted_by }) => counted_by),
        page.map(({ subject }) => subject),
        page.map(({ day }) => day),
        page.map(({ redemptions }) => redemptions),
        page.map(({ order_amount }) => order_amount),
        page.map(({ discount_amount }) => discount_amount),
        page.map(({ credits }) => credits),
      ]),
    );
  }

  /** Runs a short transaction while the turns are this execution's: another one cannot begin meanwhile, so no difference is
   *  added twice. */
  private whileMine<T>(
    projectId: string,
    turns: readonly Turn[],
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      const mine = await manager.query<object[]>(heldTurnsSql(this.leaseSql()), [
        projectId,
        ...turnColumns(turns),
      ]);
      if (mine.length < turns.length) throw new Superseded();
      return work(manager);
    });
  }

  private async giveUp(projectId: string, turns: readonly Turn[]): Promise<void> {
    await this.query(heldTurnsSql('lease_until = NULL'), [projectId, ...turnColumns(turns)]).catch(
      () => undefined, // the leases end by themselves
    );
  }

  private query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return runQuery<Row>(this.dataSource, sql, [...parameters]);
  }
}
