import type { VoucherEvent } from '@scrip/contracts/campaigns';
import type { StoredEvent } from '@scrip/event-store';
import type { EntityManager } from 'typeorm';
import { retestsOf } from '../segment/retest.table';

/** What events say of a gift card that a customer may hold. */
export interface HeldGiftCard {
  project_id: string;
  voucher_id: string;
  /** Who holds it from now on; null: as before. */
  customer_id: string | null;
  /** What can be spent, minor units. */
  balance: number;
  gone: boolean;
}

type Heard = Pick<HeldGiftCard, 'balance'> & Partial<HeldGiftCard>;

/** Null: nothing about a gift card's credits or its holder. */
const heard = ({ type, data }: VoucherEvent): Heard | null => {
  switch (type) {
    case 'VoucherPublished':
      return data.gift_balance === undefined
        ? null
        : { customer_id: data.holder_id, balance: data.gift_balance };
    case 'GiftCreditsAdjusted':
    case 'GiftCreditsRedeemed':
      return { balance: data.transaction.balance };
    case 'GiftCreditsRefunded':
      return { balance: data.balance };
    case 'VoucherDeleted':
      return data.voucher.gift && { balance: 0, gone: true };
    default:
      return null;
  }
};

/** What events leave of gift cards, each once. */
export const heldGiftCards = (events: readonly StoredEvent[]): HeldGiftCard[] => {
  const newest = new Map<string, HeldGiftCard>();
  for (const { projectId, streamId, ...event } of events) {
    const told = heard(event as unknown as VoucherEvent);
    if (!told) continue;
    const key = `${projectId}\n${streamId}`;
    const before = newest.get(key) ?? { customer_id: null, gone: false };
    newest.set(key, { ...before, project_id: projectId, voucher_id: streamId, ...told });
  }
  return [...newest.values()];
};

const storeSql = `
  WITH told AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb)
      AS n(project_id text, voucher_id text, customer_id text, balance bigint, gone boolean)
  ), held AS (
    INSERT INTO customer_gift_cards AS t (project_id, voucher_id, customer_id, balance)
    SELECT project_id, voucher_id, customer_id, balance FROM told WHERE customer_id IS NOT NULL AND NOT gone
    ON CONFLICT (project_id, voucher_id) DO UPDATE SET customer_id = excluded.customer_id, balance = excluded.balance
    RETURNING t.project_id, t.customer_id
  ), spent AS (
    UPDATE customer_gift_cards t SET balance = n.balance FROM told n
    WHERE t.project_id = n.project_id AND t.voucher_id = n.voucher_id AND n.customer_id IS NULL AND NOT n.gone
    RETURNING t.project_id, t.customer_id
  ), ended AS (
    DELETE FROM customer_gift_cards t USING told n
    WHERE t.project_id = n.project_id AND t.voucher_id = n.voucher_id AND n.gone
    RETURNING t.project_id, t.customer_id
  ), touched AS (TABLE held UNION TABLE spent UNION TABLE ended)
  ${retestsOf('touched')}`;

/** Stores what events leave of gift cards. Only those that a customer holds have a row: a card is published before it is
 *  held, and credits of others say nothing of customers. */
export const storeHeldGiftCards = async (
  manager: EntityManager,
  cards: readonly HeldGiftCard[],
): Promise<void> => {
  if (cards.length > 0) await manager.query(storeSql, [JSON.stringify(cards)]);
};
