import { type Databases, redemptionStates } from '@scrip/reconcile';
import { heldCard, heldCodes, type SessionsTold } from '../load/session-load';
import { type Figure, none, told as toldFigure } from '../scenario';
import { rowsOf } from './rows';

// Successful redemptions of what sessions hold, of stacks their parts.
const redemptionsSql = `
  SELECT id, state->'redemption'->'voucher'->>'code' AS code FROM ${redemptionStates}
  WHERE object = 'redemption' AND result = 'SUCCESS'
    AND (state->'redemption'->'voucher'->>'code' = $1 OR starts_with(state->'redemption'->'voucher'->>'code', $2))`;

/** Redemptions that one call without an answer may have stored. */
const partsOfCall = 2;

/** Holds what callers were told of sessions against what is stored: no hold stays behind, and uses and credits are those of the
 *  redemptions. Reconciling compares holds with the states of vouchers and with claims. */
export const compareSessions = async (
  { campaigns, qualification }: Databases,
  told: SessionsTold,
): Promise<Figure[]> => {
  const leaked = await rowsOf(
    campaigns,
    'SELECT session_key FROM campaigns.voucher_holds WHERE session_key = ANY($1)',
    [told.ended.filter((key) => !told.heldTwice.has(key))],
  );
  const [card] = await rowsOf<{ balance: string }>(
    campaigns,
    `SELECT state->'voucher'->'gift'->>'balance' AS balance FROM campaigns.vouchers WHERE code = $1`,
    [told.card],
  );
  const stored = await rowsOf<{ id: string; code: string }>(qualification, redemptionsSql, [
    told.card,
    heldCodes(told.run),
  ]);
  const ids = new Set(stored.map(({ id }) => id));
  const codes = stored.flatMap(({ code }) => (code === told.card ? [] : [code]));
  const creditsTaken = (stored.length - codes.length) * heldCard.credits;
  const most = told.redemptions.length + told.unknown * partsOfCall;
  return [
    toldFigure(
      'sessions ended / of these held by a repeated call / calls about sessions unknown',
      `${told.ended.length} / ${told.ended.filter((key) => told.heldTwice.has(key)).length} / ${told.unknown}`,
    ),
    none('holds of sessions that had ended', leaked.length),
    none('sessions that a failed redemption did not keep', told.lost.length),
    none('codes taken from the session that held them', told.taken.length),
    none('codes of one use redeemed again', codes.length - new Set(codes).size),
    none(
      'redemptions with sessions told, but not stored',
      told.redemptions.filter((id) => !ids.has(id)).length,
    ),
    none('redemptions with sessions stored beyond what was told', Math.max(0, stored.length - most)),
    none(
      'credits of the card that no redemption took or left',
      Math.abs(heldCard.balance - creditsTaken - Number(card?.balance)),
    ),
    {
      what: 'answers about sessions other than expected ones',
      measured: told.unexpected.length === 0 ? 0 : told.unexpected.slice(0, 5).join(', '),
      bar: '0',
      isMet: told.unexpected.length === 0,
    },
  ];
};
