import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { type Counted, type Touched, counterName, touchedBudgetName } from '@scrip/order-preview';
import type { DataSource } from 'typeorm';
import { type CountedAmounts, budgetKeyOf, incentiveWithin, incentivesOf } from './counter';
import { allDays, amountsIn } from './counter.table';
import { ScopeActivation, type WantedScope } from './scope-activation';

/** Counters and unit budgets as they stand. `counted`: by `counterName`; `used`: by `touchedBudgetName`. What is missing is
 *  zero. */
export interface ReadCounters {
  counted: ReadonlyMap<string, Counted>;
  used: ReadonlyMap<string, number>;
}

/** A row that is read: its own object, or the one of its incentive within the campaign. */
interface Wanted {
  object: string;
  within: string | null;
  each: string | null;
  counted_by: string;
  subject: string;
  since: string | null;
}

interface Read extends CountedAmounts {
  place: number;
  kept: boolean;
  each_exists: boolean;
}

// A budget is kept from its first redemption on; a counter once one of its scopes is complete.
const readSql = `
  WITH wanted AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::date[])
      WITH ORDINALITY AS w(object, within, each, counted_by, subject, since, place)
  ), kept AS (
    SELECT w.*, e.object IS NOT NULL AS each_exists,
      CASE WHEN starts_with(w.object, 'units:') OR s.state = 'ACTIVE' THEN w.object WHEN e.state = 'ACTIVE' THEN w.within END
        AS counter
    FROM wanted w
    LEFT JOIN limit_scopes s ON s.project_id = $1 AND s.object = w.object AND s.counted_by = w.counted_by
    LEFT JOIN limit_scopes e ON e.project_id = $1 AND e.object = w.each AND e.counted_by = w.counted_by
  )
  SELECT k.place::int, k.counter IS NOT NULL AS kept, k.each_exists, c.*
  FROM kept k CROSS JOIN LATERAL (
    SELECT coalesce(sum(redemptions), 0) AS redemptions, coalesce(sum(order_amount), 0) AS order_amount,
      coalesce(sum(discount_amount), 0) AS discount_amount, coalesce(sum(credits), 0) AS credits,
      coalesce(sum(units), 0) AS units
    FROM limit_counters l
    WHERE l.project_id = $1 AND l.object = k.counter AND l.counted_by = k.counted_by AND l.subject = k.subject
      AND CASE WHEN k.since IS NULL THEN l.day = '${allDays}' ELSE l.day >= k.since END
  ) c`;

const wantedCounter = ({ key, since, campaignId }: Touched['counters'][number]): Wanted => ({
  ...key,
  since,
  within: campaignId === null ? null : incentiveWithin(campaignId, key.object),
  each: campaignId === null ? null : incentivesOf(campaignId),
});

/** Reads what limits and unit budgets have counted, without locking it. */
@Injectable()
export class LimitCounters {
  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    private readonly activation: ScopeActivation,
  ) {}

  /** Returns them in one statement. Counters that do not count everything yet are completed first: rules are assigned when
   *  their counters are complete, but one that was changed for many objects, or whose object changed its campaign, may
   *  come before. Throws `Fault` `deadline`. Source: reference 02 §4.6. */
  async read(context: RequestContext, { counters, budgets }: Touched): Promise<ReadCounters> {
    const wanted = [
      ...counters.map(wantedCounter),
      ...budgets.map((budget): Wanted => ({
        ...budgetKeyOf(budget, budget.customer),
        within: null,
        each: null,
        since: null,
      })),
    ];
    for (;;) {
      const read = await this.rows(context.project.id, wanted);
      const open = read.filter(({ kept }) => !kept);
      if (open.length === 0) {
        const counted = counters.map((one, place) => [counterName(one), amountsIn(read[place]!)] as const);
        const used = budgets.map(
          (one, place) => [touchedBudgetName(one), Number(read[counters.length + place]!.units)] as const,
        );
        return { counted: new Map(counted), used: new Map(used) };
      }
      await this.activation.activate(
        context,
        open.map(({ place, each_exists }) => this.scopeOf(wanted[place - 1]!, each_exists)),
      );
    }
  }

  private async rows(projectId: string, wanted: readonly Wanted[]): Promise<Read[]> {
    if (wanted.length === 0) return [];
    const rows = await runQuery<Read>(this.dataSource, readSql, [
      projectId,
      wanted.map(({ object }) => object),
      wanted.map(({ within }) => within),
      wanted.map(({ each }) => each),
      wanted.map(({ counted_by }) => counted_by),
      wanted.map(({ subject }) => subject),
      wanted.map(({ since }) => since),
    ]);
    return rows.sort((a, b) => a.place - b.place);
  }

  /** The incentive alone, unless all of its campaign are being counted. */
  private scopeOf({ object, each, counted_by }: Wanted, eachExists: boolean): WantedScope {
    return {
      object: eachExists && each !== null ? each : object,
      counted_by: counted_by as WantedScope['counted_by'],
    };
  }
}
