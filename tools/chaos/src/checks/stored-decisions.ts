import { type Databases, redemptionStates } from '@scrip/reconcile';
import { type DecisionsTold, limitedCampaign, limits, stackOf } from '../load/decision-load';
import { type Figure, none, told as toldFigure } from '../scenario';
import { rowsOf } from './rows';

// Successful parts of each stack that took credits of a card.
const stacksSql = `
  WITH stored AS (SELECT * FROM ${redemptionStates} WHERE object = 'redemption'),
  parts AS (
    SELECT project_id, parent_redemption_id, result, state->'redemption'->'voucher'->>'code' AS code
    FROM stored WHERE parent_redemption_id IS NOT NULL)
  SELECT s.id, count(*) FILTER (WHERE p.result = 'SUCCESS')::int AS successful,
    min(p.code) FILTER (WHERE p.code = ANY($1)) AS card
  FROM stored s JOIN parts p ON p.project_id = s.project_id AND p.parent_redemption_id = s.id
  WHERE s.result = 'SUCCESS'
  GROUP BY s.project_id, s.id
  HAVING bool_or(p.code = ANY($1))`;

const stackFigures = async (
  { qualification, campaigns }: Databases,
  { stacks }: DecisionsTold,
): Promise<Figure[]> => {
  const cards = [...stacks.keys()];
  const stored = await rowsOf<{ id: string; successful: number; card: string }>(qualification, stacksSql, [
    cards,
  ]);
  const balances = await rowsOf<{ code: string; balance: string }>(
    campaigns,
    `SELECT code, state->'voucher'->'gift'->>'balance' AS balance FROM campaigns.vouchers WHERE code = ANY($1)`,
    [cards],
  );
  const partial = stored.filter(({ successful }) => successful !== stackOf.redeemables).length;
  let [lost, doubled, unlike] = [0, 0, cards.length - balances.length];
  for (const { code, balance } of balances) {
    const { parents, unknown } = stacks.get(code)!;
    const ids = new Set(stored.filter(({ card }) => card === code).map(({ id }) => id));
    lost += parents.filter((id) => !ids.has(id)).length;
    doubled += Math.max(0, ids.size - parents.length - unknown);
    if (Number(balance) !== stackOf.balance - ids.size * stackOf.credits) unlike += 1;
  }
  return [
    toldFigure('stacks of a code, a gift card and a tier stored', stored.length),
    none('stacks of which a part is missing', partial),
    none('stacks told, but not stored', lost),
    none('stacks stored beyond what was told', doubled),
    none('cards whose balance is not what their stacks left', unlike),
  ];
};

const limitFigures = async ({ qualification }: Databases, told: DecisionsTold): Promise<Figure[]> => {
  const rows = await rowsOf<{ id: string; customer_id: string }>(
    qualification,
    `SELECT id, customer_id FROM qualification.redemptions
     WHERE campaign_name = $1 AND object = 'redemption' AND result = 'SUCCESS'`,
    [limitedCampaign],
  );
  const stored = new Set(rows.map(({ id }) => id));
  const customers = new Set(rows.map(({ customer_id }) => customer_id));
  return [
    toldFigure(
      `redemptions of a campaign limited to ${limits.campaign}, and refusals`,
      `${stored.size}, ${told.limitedRefused}`,
    ),
    none('redemptions beyond the limit of the campaign', Math.max(0, stored.size - limits.campaign)),
    none('redemptions beyond the limit of a customer', stored.size - customers.size * limits.customer),
    none('limited redemptions told, but not stored', told.limited.filter(({ id }) => !stored.has(id)).length),
    none(
      'limited redemptions stored beyond what was told',
      Math.max(0, stored.size - told.limited.length - told.limitedUnknown),
    ),
  ];
};

/** Holds what callers were told of stacks and limits against what is stored. */
export const compareDecisions = async (databases: Databases, told: DecisionsTold): Promise<Figure[]> => [
  ...(await stackFigures(databases, told)),
  ...(await limitFigures(databases, told)),
  {
    what: 'answers about stacks and limits other than expected ones',
    measured: told.unexpected.length === 0 ? 0 : told.unexpected.slice(0, 5).join(', '),
    bar: '0',
    isMet: told.unexpected.length === 0,
  },
];
