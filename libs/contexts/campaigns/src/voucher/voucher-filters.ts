import type { AddValue, FilterColumns, TypedMembers } from '@scrip/list-query';
import { weekdays } from '../campaign/campaign.dto';

/** Where a list reads what a voucher shares with others or says itself: documents of one layout. */
export interface Place {
  document: string;
  /** What is a column of vouchers that say it themselves. */
  campaign: string;
  start: string;
  expiration: string;
}

/** Definitions `d`, and vouchers `t` that say all of it themselves. */
export const places = {
  definition: {
    document: 'd.template',
    campaign: `(d.template->>'campaign_id')`,
    start: `(d.template->>'start_date')::timestamptz`,
    expiration: `(d.template->>'expiration_date')::timestamptz`,
  },
  voucher: {
    document: 't.filterable',
    campaign: 't.campaign_id',
    start: 't.start_date',
    expiration: 't.expiration_date',
  },
} as const satisfies Record<string, Place>;

/** Fields that are columns of a voucher's row. Codes are compared as the project compares them, by the column that makes them
 *  unique. A redemption changes `updated_at` and the number of uses: no index has them. */
export const ofRows = ({ codeKey }: { codeKey?: (code: string) => string }): FilterColumns => ({
  code: { sql: 't.code_key', kind: 'text', ...(codeKey && { valuesOf: (code) => [codeKey(code)] }) },
  vouchers: { sql: 't.id', kind: 'text' },
  created_at: { sql: 't.created_at', kind: 'instant' },
  created_date: { sql: 't.created_at', kind: 'instant' },
  updated_at: { sql: 't.updated_at', kind: 'instant' },
  'redemption.redeemed_quantity': {
    sql: `coalesce(t.state->'voucher'->'redemption'->>'redeemed_quantity', '0')::numeric`,
    kind: 'number',
  },
});

const at = (now: Date, add: AddValue): string => `${add(now.toISOString())}::timestamptz`;

/** Fields that a voucher shares with its definition until it says otherwise. `now`: the project's business time. */
export const ofDefinitions = (
  { document, campaign, start, expiration }: Place,
  now: Date,
  schema?: TypedMembers,
): FilterColumns => {
  const by = (...path: string[]) => ({ indexed: { document, paths: [path] } });
  const text = (field: string) =>
    ({ sql: `(${document}->>'${field}')`, kind: 'text', ...by(field) }) as const;
  return {
    campaign_ids: { sql: campaign, kind: 'text' },
    categories: text('category'),
    category_ids: text('category_id'),
    holder_id: text('holder_id'),
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
    start_date: { sql: start, kind: 'instant' },
    expiration_date: { sql: expiration, kind: 'instant' },
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
      ...(schema && { schema }),
    },
  };
};
