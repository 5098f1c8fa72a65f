import { readInput } from '@scrip/edge';
import type { RowValues } from '@scrip/tasks/imports';
import { countOfCell, flagOfCell, moneyOfCell, refuseRow } from './cells';
import { ImportedCodeBody } from './import.dto';
import type { ImportedVoucher } from './imported-voucher';

/** The voucher that a row of a campaign's file tells. Throws `EdgeFailure` (400), naming the column. Source: reference 04 §4.7. */
export const campaignCodeOfRow = ({ fields, metadata }: RowValues): ImportedVoucher => {
  const { code, category, start_date, expiration_date } = fields;
  if (code === undefined) throw refuseRow('Code is required');
  const read = readInput(
    ImportedCodeBody,
    {
      code,
      ...(category === undefined ? {} : { category }),
      ...(start_date === undefined ? {} : { start_date }),
      ...(expiration_date === undefined ? {} : { expiration_date }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    },
    'body',
  );
  return {
    code: read.code,
    category: read.category,
    start_date: read.start_date,
    expiration_date: read.expiration_date,
    metadata: read.metadata ?? undefined,
    active: flagOfCell('active', fields['active']),
    gift_amount: moneyOfCell('gift_amount', fields['gift_amount']),
    points: countOfCell('loyalty_points', fields['loyalty_points']),
    redeemed_quantity: countOfCell('redeemed_quantity', fields['redeemed_quantity']),
    redeemed_amount: moneyOfCell('redeemed_amount', fields['redeemed_amount']),
  };
};
