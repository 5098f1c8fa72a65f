import { refuse } from '@scrip/kernel';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, campaignOf, redeemable } from '../redeemables.fixture';
import { SettlementPusher } from '../settlement/settlement';
import type { CounterScope } from './counter';
import { countedRedeemables, countedRedemptions, countsFor } from './counts.sql';
import type { Limit } from './limit';
import { activate } from './limited-calls.fixture';
import { type LimitSource, Limits } from './limits';

type Bound = Omit<Limit, 'object_id' | 'refusal'>;

/** Limits that a test sets, on everything that counts for their object. Rules will be a source like this one. */
export class FixtureLimits implements LimitSource {
  private readonly bounds: Bound[] = [];

  async limitsOn({ redeemables }: Parameters<LimitSource['limitsOn']>[0]): Promise<Limit[]> {
    return redeemables.flatMap(({ object_id, objects }) =>
      this.bounds
        .filter(({ scope }) => objects.includes(scope.object))
        .map((bound) => ({
          ...bound,
          object_id,
          refusal: refuse('redemption_rules_violated', bound.scope.object),
        })),
    );
  }

  bound(
    object: string,
    counted_by: CounterScope['counted_by'],
    at_most: number,
    more: Partial<Bound> = {},
  ): Bound {
    const bound: Bound = {
      scope: { object, counted_by },
      measure: 'redemptions',
      at_most,
      since: null,
      ...more,
    };
    this.bounds.push(bound);
    return bound;
  }
}

/** Makes processes obey the same limits. */
const limitsOf = (...processes: QualificationFixture[]): FixtureLimits => {
  const limits = new FixtureLimits();
  for (const process of processes) process.get(Limits).register(limits);
  return limits;
};

/** Counters that differ from the redemptions they count, in every scope that is kept. */
export const drift = async ({ dataSource }: QualificationFixture): Promise<object[]> =>
  dataSource.query<object[]>(`
    WITH facts AS (
      SELECT l.object, l.counted_by, (c.counts->>'day')::date AS day, f.order_amount, f.discount_amount,
        CASE l.counted_by WHEN 'all' THEN '' WHEN 'customer' THEN r.customer_id END AS subject
      FROM ${countedRedemptions}, ${countedRedeemables}, limit_scopes l
      WHERE l.project_id = r.project_id AND ${countsFor('l.object')}
    ), actual AS (
      SELECT object, counted_by, subject, p.day, count(*) AS redemptions, sum(order_amount) AS order_amount,
        sum(discount_amount) AS discount_amount
      FROM facts, LATERAL (VALUES (facts.day), ('-infinity'::date)) AS p(day)
      WHERE subject IS NOT NULL GROUP BY 1, 2, 3, 4
    ), counted AS (
      SELECT object, counted_by, subject, day, redemptions, order_amount, discount_amount FROM limit_counters
      WHERE redemptions <> 0 OR order_amount <> 0 OR discount_amount <> 0
    )
    SELECT to_jsonb(a) AS actual, to_jsonb(c) AS counted
    FROM actual a FULL JOIN counted c USING (object, counted_by, subject, day)
    WHERE (a.redemptions, a.order_amount, a.discount_amount)
      IS DISTINCT FROM (c.redemptions, c.order_amount, c.discount_amount)`);

/** Two processes on one database that obey the same limits. */
export class LimitsFixture {
  readonly limits: FixtureLimits;

  constructor(
    readonly one: QualificationFixture,
    readonly other: QualificationFixture,
  ) {
    this.limits = limitsOf(one, other);
  }

  async stop(): Promise<void> {
    await this.other.stop();
    await this.one.stop();
  }

  /** Waits until the owners of both processes have the verdicts. */
  async settled(): Promise<void> {
    await Promise.all([this.one, this.other].map((process) => process.get(SettlementPusher).drained()));
  }

  /** Runs callers at once, in the two processes by turns. */
  inBoth<T>(
    callers: number,
    work: (process: QualificationFixture, index: number) => Promise<T>,
  ): Promise<T[]> {
    const processes = [this.one, this.other] as const;
    return Promise.all(Array.from({ length: callers }, (_, index) => work(processes[index % 2]!, index)));
  }

  /** Adds a campaign with `codes` codes of its own. */
  campaign(name: string, codes = 1): { object: string; codes: string[] } {
    const id = `camp_${name}`;
    const names = Array.from({ length: codes }, (_, index) => `${name}-${index}`);
    for (const code of names) {
      const own = { discount: amount(100), campaign_id: id, campaign: name };
      this.one.campaigns.add(redeemable(code, own, campaignOf({ id, name })));
    }
    return { object: `campaign:${id}`, codes: names };
  }

  /** Adds a campaign with a limit whose scope is active. */
  async limited(
    name: string,
    at_most: number,
    {
      by = 'all',
      codes = 1,
      ...more
    }: Partial<Bound> & { by?: CounterScope['counted_by']; codes?: number } = {},
  ): Promise<{ object: string; codes: string[] }> {
    const own = this.campaign(name, codes);
    await activate(this.one, own.object, by);
    this.limits.bound(own.object, by, at_most, more);
    return own;
  }
}

export const startLimits = async (database: string): Promise<LimitsFixture> => {
  const one = await startQualification(database);
  const { url: databaseUrl } = one.dataSource.options as { url: string };
  const { campaigns, customers } = one;
  return new LimitsFixture(one, await startQualification(database, { databaseUrl, campaigns, customers }));
};
