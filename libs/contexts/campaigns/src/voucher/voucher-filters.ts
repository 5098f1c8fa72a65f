import { weekdays } from '@scrip/incentives/bodies';
import type { AddValue, Calendar, FilterColumns, TypedMembers } from '@scrip/list-query';
import { categoryColumns } from '../categories/category-filters';

/** Where a list reads what a voucher shares with others or says itself: documents of one layout. */
export interface Place {
  document: string;
  /** What is a column of vouchers that say it themselves. */
  campaign: string;
  /** The collation that an index has it by. */
  campaignCollation: string;
  start: string;
  expiration: string;
  /** Whether it has a timeframe, whose first window begins at the start. */
  hasTimeframe: string;
}

/** The newest revisions `d` of definitions, and vouchers `t` that say all of it themselves. */
export const places = {
  definition: {
    document: 'd.template',
    campaign: `(d.template->>'campaign_id')`,
    campaignCollation: 'COLLATE "default"',
    start: `(d.template->>'start_date')::timestamptz`,
    expiration: `(d.template->>'expiration_date')::timestamptz`,
    hasTimeframe: `d.template->'validity_timeframe' <> 'null'`,
  },
  voucher: {
    document: 't.filterable',
    campaign: 't.campaign_id',
    campaignCollation: 'COLLATE "C"',
    start: 't.start_date',
    expiration: 't.expiration_date',
    hasTimeframe: `t.filterable->'validity_timeframe' <> 'null'`,
  },
} as const satisfies Record<string, Place>;

const uses = `(t.state->'voucher'->'redemption'->>'redeemed_quantity')::numeric`;
// A voucher with uses of its own says its limit itself.
const isUsedUp = `coalesce(${uses} >= (t.state->'voucher'->'redemption'->>'quantity')::numeric, false)`;

/** What filters of rows depend on. `codeKey`: the form of a code that the project compares. */
export interface RowFilters {
  codeKey: (code: string) => string;
  calendar: Calendar;
}

/** What a card gave until now: `added` less what was taken away by hand and less its balance. Nothing where a generated one says
 *  nothing of its balance yet; unknown of what has no balance. What has one never changes: any revision tells. */
const redeemed = (field: 'gift' | 'loyalty_card', added: string): string => {
  const own = `t.state->'voucher'->'${field}'`;
  const amount = (name: string) => `(${own}->>'${name}')::numeric`;
  return `CASE WHEN ${own} IS NOT NULL THEN ${amount(added)} - coalesce(${amount('subtracted_amount')}, 0) - ${amount('balance')}
    WHEN EXISTS (SELECT 1 FROM voucher_definitions r WHERE r.project_id = t.project_id AND r.id = t.definition_id
      AND r.template->'${field}' <> 'null') THEN 0 END`;
};

/** Fields that are columns of a voucher's row. Codes are compared as the project compares them, by the column that makes them
 *  unique. A redemption changes `updated_at` and the number of uses: no index has them. */
export const ofRows = ({ codeKey, calendar }: RowFilters): FilterColumns => ({
  code: { sql: 't.code_key', kind: 'text', valuesOf: (code) => [codeKey(code)] },
  vouchers: { sql: 't.id', kind: 'text' },
  created_at: { sql: 't.created_at', kind: 'instant', calendar },
  created_date: { sql: 't.created_at', kind: 'instant', calendar },
  updated_at: { sql: 't.updated_at', kind: 'instant', calendar },
  'redemption.redeemed_quantity': {
    sql: `coalesce(${uses}, 0)`,
    kind: 'number',
  },
  'redemption.redeemed_amount': { sql: redeemed('gift', 'amount'), kind: 'number' },
  'redemption.redeemed_points': { sql: redeemed('loyalty_card', 'points'), kind: 'number' },
  redemption_status: { kind: 'states', states: { $redeemed: isUsedUp, $redeemable: `NOT ${isUsedUp}` } },
});

const at = (now: Date, add: AddValue): string => `${add(now.toISOString())}::timestamptz`;

/** What filters of definitions depend on. `now`: the project's business time; `project`: the placeholder of its id. */
export interface DefinitionFilters {
  now: Date;
  project: string;
  schema: TypedMembers;
}

/** Fields that a voucher shares with its definition until it says otherwise. */
export const ofDefinitions = (
  { document, campaign, start, expiration, hasTimeframe }: Place,
  { now, project, schema }: DefinitionFilters,
): FilterColumns => {
  const by = (...path: string[]) => ({ indexed: { document, paths: [path] } });
  const text = (field: string) =>
    ({ sql: `(${document}->>'${field}')`, kind: 'text', ...by(field) }) as const;
  return {
    campaign_ids: { sql: campaign, kind: 'text' },
    ...categoryColumns(`(${document}->>'category_id') COLLATE "C"`, project),
    holder_id: text('holder_id'),
    // A code has one publication at most, and who it was published for holds it.
    published_for_customer_id: text('holder_id'),
    is_referral_code: {
      sql: `(${document}->>'is_referral_code')::boolean`,
      kind: 'flag',
      // As JSON has it.
      valuesOf: (value) => [value.toLowerCase()],
      ...by('is_referral_code'),
    },
    active: {
      kind: 'states',
      states: {
        $enabled: `${document} @> '{"active": true}'`,
        $disabled: `${document} @> '{"active": false}'`,
        $expired: (add) => `${expiration} < ${at(now, add)}`,
        $active: (add) =>
          `(coalesce(${start} <= ${at(now, add)}, true) AND coalesce(${expiration} >= ${at(now, add)}, true))`,
      },
    },
    start_date: { sql: start, kind: 'instant', calendar: schema.calendar },
    expiration_date: { sql: expiration, kind: 'instant', calendar: schema.calendar },
    // When the first window begins.
    validity_timeframe: { sql: start, kind: 'instant', calendar: schema.calendar, given: hasTimeframe },
    // Vouchers without weekdays are open all week.
    validity_day_of_week: {
      sql: `${document}->'validity_day_of_week'`,
      kind: 'json',
      oneOf: weekdays.map(String),
      absentMatches: true,
    },
    'redemption.quantity': {
      sql: `(${document}->'redemption'->>'quantity')::numeric`,
      kind: 'number',
      ...by('redemption', 'quantity'),
    },
    'metadata.*': {
      kind: 'members',
      sql: `${document}->'metadata'`,
      indexed: { document, path: ['metadata'] },
      schema,
    },
  };
};
