import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { runQuery, untilWritersEnd } from '@scrip/event-store';
import { Fault, type RequestContext } from '@scrip/kernel';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import type { Counted, CounterScope } from './counter';
import { countedRedeemables, countedRedemptions, countsFor } from './counts.sql';

type Difference = Counted & { subject: string; day: string };

const pollMs = 5;
const rowsAtOnce = 2_000;

/** Another execution counts this scope. */
class Superseded extends Error {}

const channelSql = (type: string): string => `
  CASE WHEN b.redemption#>>'{channel,channel_type}' = '${type}' THEN b.redemption#>>'{channel,channel_id}' END`;

const subjectSql = {
  all: `''`,
  customer: 'r.customer_id',
  api_key: channelSql('API'),
  user: channelSql('USER'),
};

// What the redemptions of the snapshot come to, less what its counters say.
const differencesSql = (counted_by: CounterScope['counted_by']): string => `
  WITH facts AS (
    SELECT ${subjectSql[counted_by]} AS subject, (c.counts->>'day')::date AS day,
      f.order_amount, f.discount_amount, coalesce(f.credits, 0) AS credits
    FROM ${countedRedemptions}, ${countedRedeemables}
    WHERE r.project_id = $1 AND ${countsFor('$2')}
  ), actual AS (
    SELECT subject, p.day, count(*) AS redemptions, sum(order_amount) AS order_amount,
      sum(discount_amount) AS discount_amount, sum(credits) AS credits
    FROM facts, LATERAL (VALUES (facts.day), ('-infinity'::date)) AS p(day)
    WHERE subject IS NOT NULL GROUP BY 1, 2
  ), counted AS (
    SELECT subject, day, redemptions, order_amount, discount_amount, credits FROM limit_counters
    WHERE project_id = $1 AND object = $2 AND counted_by = $3
  )
  SELECT subject, day::text,
    (coalesce(a.redemptions, 0) - coalesce(c.redemptions, 0))::float8 AS redemptions,
    (coalesce(a.order_amount, 0) - coalesce(c.order_amount, 0))::float8 AS order_amount,
    (coalesce(a.discount_amount, 0) - coalesce(c.discount_amount, 0))::float8 AS discount_amount,
    (coalesce(a.credits, 0) - coalesce(c.credits, 0))::float8 AS credits
  FROM actual a FULL JOIN counted c USING (subject, day)
  WHERE (a.redemptions, a.order_amount, a.discount_amount, a.credits)
    IS DISTINCT FROM (c.redemptions, c.order_amount, c.discount_amount, c.credits)`;

/** Begins to keep counters, with what was redeemed before. Nothing waits for it: recordings and rollbacks that see the
 *  scope change its counters; those that do not are waited for; then a snapshot is counted, and what its counters lack is
 *  added. Source: architecture §8, Limits.
 *  Machine time: leases and deadlines. */
@Injectable()
export class ScopeActivation {
  /** How long an execution that says nothing keeps its turn. */
  private readonly leaseMs: number = 30_000;

  constructor(@InjectDataSource('qualification') private readonly dataSource: DataSource) {}

  /** Returns when the counters of the scope count everything; at once where they do already. `isNew`: nothing of the object
   *  can have been redeemed. Where it throws, or the process dies, another call goes on. Throws `Fault` `deadline`. */
  async activate(
    { project, deadlineAt }: RequestContext,
    scope: CounterScope,
    { isNew = false }: { isNew?: boolean } = {},
  ): Promise<void> {
    const key = [project.id, scope.object, scope.counted_by];
    await this.query(
      `INSERT INTO limit_scopes (project_id, object, counted_by, state) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [...key, isNew ? 'ACTIVE' : 'COUNTING'],
    );
    for (;;) {
      const [found] = await this.query<{ state: string }>(
        'SELECT state FROM limit_scopes WHERE project_id = $1 AND object = $2 AND counted_by = $3',
        key,
      );
      if (found?.state === 'ACTIVE') return;
      const attempt = await this.takeTurn(key);
      if (attempt !== null) await this.count(key, attempt, deadlineAt);
      else if (Date.now() >= deadlineAt) throw new Fault('deadline', 'a limit is still being counted');
      else await pause(pollMs);
    }
  }

  /** The number of this execution; null where another one counts. Its lease is machine time. */
  private async takeTurn(key: readonly string[]): Promise<number | null> {
    const [row] = await this.query<{ attempt: number }>(
      `WITH turn AS (
         UPDATE limit_scopes SET attempt = attempt + 1, lease_until = now() + interval '${this.leaseMs} ms'
         WHERE project_id = $1 AND object = $2 AND counted_by = $3 AND state = 'COUNTING'
           AND (lease_until IS NULL OR lease_until < now())
         RETURNING attempt)
       SELECT attempt FROM turn`,
      key,
    );
    return row?.attempt ?? null;
  }

  private async count(key: readonly string[], attempt: number, deadlineAt: number): Promise<void> {
    const renewal = setInterval(() => void this.renew(key, attempt), this.leaseMs / 3);
    try {
      // Those that may have begun to write without seeing the scope.
      await untilWritersEnd(this.dataSource, ['redemptions', 'redemption_outcomes'], deadlineAt);
      await this.inSnapshot(async (runner) => {
        await runner.query(`DECLARE differences NO SCROLL CURSOR FOR ${differencesSql(key[2] as 'all')}`, [
          ...key,
        ]);
        for (;;) {
          const page = (await runner.query(`FETCH ${rowsAtOnce} FROM differences`)) as Difference[];
          if (page.length > 0) await this.add(key, attempt, page);
          if (page.length < rowsAtOnce) return;
        }
      });
      await this.whileMine(key, attempt, (manager) =>
        manager.query(
          `UPDATE limit_scopes SET state = 'ACTIVE', lease_until = NULL WHERE project_id = $1 AND object = $2 AND counted_by = $3`,
          [...key],
        ),
      );
    } catch (error) {
      if (error instanceof Superseded) return;
      await this.giveUp(key, attempt);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Keeps the turn while a long history is read: two executions that took it from each other would never end. */
  private async renew(key: readonly string[], attempt: number): Promise<void> {
    await this.query(
      `UPDATE limit_scopes SET lease_until = now() + interval '${this.leaseMs} ms'
       WHERE project_id = $1 AND object = $2 AND counted_by = $3 AND attempt = $4 AND lease_until IS NOT NULL`,
      [...key, attempt],
    ).catch(() => undefined); // the next one may reach the database
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

  private add(key: readonly string[], attempt: number, page: readonly Difference[]): Promise<unknown> {
    return this.whileMine(key, attempt, (manager) =>
      manager.query(
        `INSERT INTO limit_counters AS t (project_id, object, counted_by, subject, day, redemptions, order_amount, discount_amount, credits)
         SELECT $1, $2, $3, d.* FROM unnest($4::text[], $5::date[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
           AS d(subject, day, redemptions, order_amount, discount_amount, credits)
         ORDER BY d.subject COLLATE "C", d.day
         ON CONFLICT (project_id, object, counted_by, subject, day) DO UPDATE SET
           redemptions = t.redemptions + excluded.redemptions, order_amount = t.order_amount + excluded.order_amount,
           discount_amount = t.discount_amount + excluded.discount_amount, credits = t.credits + excluded.credits`,
        [
          ...key,
          page.map(({ subject }) => subject),
          page.map(({ day }) => day),
          page.map(({ redemptions }) => redemptions),
          page.map(({ order_amount }) => order_amount),
          page.map(({ discount_amount }) => discount_amount),
          page.map(({ credits }) => credits),
        ],
      ),
    );
  }

  /** Runs a short transaction while the scope is this execution's: another one cannot begin meanwhile, so no difference is
   *  added twice. */
  private whileMine<T>(
    key: readonly string[],
    attempt: number,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.dataSource.transaction(async (manager) => {
      const mine = await manager.query<object[]>(
        `WITH mine AS (
           UPDATE limit_scopes SET lease_until = now() + interval '${this.leaseMs} ms'
           WHERE project_id = $1 AND object = $2 AND counted_by = $3 AND attempt = $4 AND state = 'COUNTING' RETURNING 1)
         SELECT 1 FROM mine`,
        [...key, attempt],
      );
      if (mine.length === 0) throw new Superseded();
      return work(manager);
    });
  }

  private async giveUp(key: readonly string[], attempt: number): Promise<void> {
    await this.query(
      `UPDATE limit_scopes SET lease_until = NULL
       WHERE project_id = $1 AND object = $2 AND counted_by = $3 AND attempt = $4 AND state = 'COUNTING'`,
      [...key, attempt],
    ).catch(() => undefined); // the lease ends by itself
  }

  private query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    return runQuery<Row>(this.dataSource, sql, [...parameters]);
  }
}
