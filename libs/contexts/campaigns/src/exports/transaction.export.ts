import { Injectable } from '@nestjs/common';
import type { GiftTransaction } from '@scrip/contracts/campaigns';
import type { ExportField, ExportParameters } from '@scrip/contracts/operations';
import { orderOf } from '@scrip/edge';
import { type ExportKind, exportCondition } from '@scrip/exports';
import { type BusinessClock, isRefused, type RequestContext } from '@scrip/kernel';
import { type Calendar, calendarAt, type FilterColumns, StatementValues } from '@scrip/list-query';
import { InjectBusinessClock } from '@scrip/service';
import { renderGiftTransaction } from '@scrip/wire/campaigns';
import { transactionColumns } from '../gift/transaction-list.query';
import { type TransactionRow, transactionOf } from '../gift/transaction.table';

const ofWhat = {
  voucher_id: { sql: 'voucher_id', kind: 'text' },
  campaign_id: { sql: 'campaign_id', kind: 'text' },
} as const;

const columnsWith = (calendar: Calendar): FilterColumns => ({
  created_at: { sql: 'created_at', kind: 'instant', calendar },
  ...ofWhat,
});

type Cells = Record<ExportField<'voucher_transactions'>, (transaction: GiftTransaction) => unknown>;

/** What moved balances, as the lists of transactions show it. Source: reference 04 §4.8, §6.2, reference 07 §12. */
@Injectable()
export class TransactionExport implements ExportKind<TransactionRow, GiftTransaction> {
  readonly kind = 'voucher_transactions';
  readonly metadataSchema = null;

  constructor(@InjectBusinessClock() private readonly clock: BusinessClock) {}

  statement({ project }: RequestContext, parameters: ExportParameters) {
    const { add, all } = new StatementValues();
    const where = [`project_id = ${add(project.id)}`];
    for (const [field, id] of Object.entries(parameters.of ?? {})) {
      const { sql } = ofWhat[field as keyof typeof ofWhat];
      where.push(`${sql} = ${add(id)}`);
    }
    const calendar = calendarAt(project, this.clock.now(project));
    const filter = exportCondition(parameters, columnsWith(calendar), add);
    if (isRefused(filter)) return filter;
    const direction = orderOf(parameters.order).descending ? 'DESC' : 'ASC';
    const text = `SELECT ${transactionColumns} FROM voucher_transactions WHERE ${[...where, filter].join(' AND ')}
      ORDER BY created_at ${direction}, id ${direction}`;
    return { text, values: all };
  }

  open(_: RequestContext, rows: readonly TransactionRow[]): Promise<GiftTransaction[]> {
    return Promise.resolve(rows.map(transactionOf));
  }

  readonly cells: Cells = {
    id: ({ id }) => id,
    type: ({ type }) => type,
    source_id: ({ source_id }) => source_id,
    // Of points that wait; credits move at once.
    status: () => null,
    reason: ({ reason }) => reason,
    source: ({ source }) => source,
    balance: ({ balance }) => balance,
    amount: ({ amount }) => amount,
    created_at: ({ created_at }) => created_at,
    voucher_id: ({ voucher_id }) => voucher_id,
    campaign_id: ({ campaign_id }) => campaign_id,
    details: (transaction) => renderGiftTransaction(transaction).details,
    related_transaction_id: ({ related_transaction_id }) => related_transaction_id,
  };

  metadataOf = () => null;
}
