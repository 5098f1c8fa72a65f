import type { GiftTransaction, VoucherEvent } from '@scrip/contracts/campaigns';
import type { RowChange } from '@scrip/event-store';

type Stored = Omit<GiftTransaction, 'amount' | 'total' | 'balance' | 'order' | 'created_at'>;

/** A stored entry. */
export interface TransactionRow extends Stored {
  [column: string]: unknown;
  amount: string;
  total: string;
  balance: string;
  order_id: string | null;
  order_source_id: string | null;
  created_at: Date;
}

/** The transaction that an entry is of. */
export const transactionOf = ({
  amount,
  total,
  balance,
  order_id,
  order_source_id,
  created_at,
  ...row
}: TransactionRow): GiftTransaction => ({
  ...(row as Stored),
  amount: Number(amount),
  total: Number(total),
  balance: Number(balance),
  order: order_id === null ? null : { id: order_id, source_id: order_source_id },
  created_at: created_at.toISOString(),
});

const rowOf = (projectId: string, { order, ...transaction }: GiftTransaction): RowChange => ({
  insert: 'voucher_transactions',
  values: {
    project_id: projectId,
    ...transaction,
    order_id: order?.id ?? null,
    order_source_id: order?.source_id ?? null,
  },
});

/** Enters what redemptions took when their claims are confirmed, over the confirmed rows. */
export const confirmedTransactions = `
  INSERT INTO voucher_transactions (project_id, id, type, voucher_id, campaign_id, amount, total, balance,
    order_id, order_source_id, redemption_id, created_at)
  SELECT $1, t.id, t.type, t.voucher_id, t.campaign_id, t.amount, t.total, t.balance,
    t."order"->>'id', t."order"->>'source_id', t.redemption_id, t.created_at
  FROM confirmed c, jsonb_to_record(c.kept->'transaction') AS t(id text, type text, voucher_id text, campaign_id text,
    amount bigint, total bigint, balance bigint, "order" jsonb, redemption_id text, created_at timestamptz)
  WHERE c.kept ? 'transaction'`;

/** The entry of an event that moved credits for good. What a redemption takes is entered when its claim is confirmed:
 *  one that may be abandoned is not listed. Source: architecture §8 step 5. */
const movedBy = (event: VoucherEvent): GiftTransaction | null => {
  switch (event.type) {
    case 'GiftCreditsAdjusted':
    case 'GiftCreditsRefunded':
      return event.data.transaction;
    default:
      return null;
  }
};

/** The entries of a voucher's events, as side rows of their statement. */
export const transactionRows = (projectId: string, events: readonly VoucherEvent[]): RowChange[] =>
  events.flatMap((event) => {
    const transaction = movedBy(event);
    return transaction ? [rowOf(projectId, transaction)] : [];
  });
