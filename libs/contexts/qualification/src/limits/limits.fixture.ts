import type { RuledObjectType } from '@scrip/contracts/qualification';
import { isRefused, newId } from '@scrip/kernel';
import { AssignmentHandlers } from '../assignment/assignment.handlers';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, campaignOf, redeemable } from '../redeemables.fixture';
import { RuleHandlers } from '../rule/rule.handlers';
import { SettlementPusher } from '../settlement/settlement';
import { countedRedeemables, countedRedemptions, counterOf, countsFor } from './counts.sql';

/** A limit that a test sets by a rule of a campaign. */
interface Bound {
  /** Name of the rule in the catalogue. */
  rule: string;
  /** What the rule object has besides its rules. */
  more: Readonly<Record<string, unknown>>;
}

const bodyOf = (rule: string, at_most: number, more: Bound['more'] = {}) => ({
  name: 'Limit',
  rules: { 1: { name: rule, conditions: { $less_than_or_equal: [at_most] } } },
  ...more,
});

/** Stores a rule; returns its id. */
export const storedRule = async (process: QualificationFixture, body: object): Promise<string> => {
  const id = newId('val_');
  const created = await process.get(RuleHandlers).create(call(), id, body);
  if (isRefused(created)) throw new Error(created.details);
  return id;
};

/** Assigns a rule by a call of its own. */
export const assignRule = (
  process: QualificationFixture,
  rule_id: string,
  related_object_type: RuledObjectType,
  related_object_id: string,
  campaign_id: string | null = null,
) => {
  const wanted = { id: newId('asgm_'), rule_id, related_object_type, related_object_id, campaign_id };
  return process.get(AssignmentHandlers).assign(call(), wanted);
};

/** Unit budgets that differ from the units that redemptions consumed of them. */
const unitDrift = `
  WITH actual AS (
    SELECT 'units:' || u.limit || ' ' || u.owner || ' ' || u.item AS object,
      CASE WHEN u.limit LIKE '%_customer_%' THEN r.customer_id ELSE '' END AS subject, sum(u.units) AS units
    FROM ${countedRedemptions}, jsonb_to_recordset(CASE WHEN jsonb_typeof(c.counts) = 'object' THEN c.counts->'units' END)
      AS u("limit" text, owner text, item text, units bigint)
    GROUP BY 1, 2
  ), counted AS (
    SELECT object, subject, units FROM limit_counters WHERE object LIKE 'units:%' AND units <> 0
  )
  SELECT to_jsonb(a) AS actual, to_jsonb(c) AS counted FROM actual a FULL JOIN counted c USING (object, subject)
  WHERE a.units IS DISTINCT FROM c.units`;

/** Counters that differ from the redemptions they count, in every scope that is kept, and unit budgets likewise. */
export const drift = async ({ dataSource }: QualificationFixture): Promise<object[]> => [
  ...(await dataSource.query<object[]>(unitDrift)),
  ...(await dataSource.query<object[]>(scopeDrift)),
];

const scopeDrift = `
    WITH facts AS (
      SELECT ${counterOf('l.object')} AS object, l.counted_by, (c.counts->>'day')::date AS day, f.order_amount, f.discount_amount,
        CASE
          WHEN l.counted_by = 'all' THEN ''
          WHEN l.counted_by = 'customer' THEN r.customer_id
          WHEN l.counted_by = CASE b.redemption#>>'{channel,channel_type}' WHEN 'USER' THEN 'user' ELSE 'api_key' END
            THEN b.redemption#>>'{channel,channel_id}'
        END AS subject
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
      IS DISTINCT FROM (c.redemptions, c.order_amount, c.discount_amount)`;

/** Two processes on one database. */
export class LimitsFixture {
  constructor(
    readonly one: QualificationFixture,
    readonly other: QualificationFixture,
  ) {}

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

  /** Adds a campaign whose rule limits it. */
  async limited(
    name: string,
    at_most: number,
    { rule = 'campaign.redemptions.count', codes = 1, more = {} }: Partial<Bound> & { codes?: number } = {},
  ): Promise<{ object: string; codes: string[] }> {
    const own = this.campaign(name, codes);
    await this.limit(name, at_most, rule, more);
    return own;
  }

  /** Limits a campaign by a rule of its own. */
  async limit(name: string, at_most: number, rule: string, more: Bound['more'] = {}): Promise<string> {
    const id = await storedRule(this.one, bodyOf(rule, at_most, more));
    await assignRule(this.one, id, 'campaign', `camp_${name}`);
    return id;
  }
}

export const startLimits = async (database: string): Promise<LimitsFixture> => {
  const one = await startQualification(database);
  const { url: databaseUrl } = one.dataSource.options as { url: string };
  const { campaigns, customers, catalog, promotions } = one;
  return new LimitsFixture(
    one,
    await startQualification(database, { databaseUrl, campaigns, customers, catalog, promotions }),
  );
};
