import { readInput } from '@scrip/edge';
import type { RowValues } from '@scrip/tasks/imports';
import { CreateCodedVoucherBody } from '../voucher/creating/create-voucher.dto';
import { countOfCell, flagOfCell, moneyOfCell, numberOfCell, refuseRow } from './cells';
import type { StandaloneVoucher } from './standalone-voucher';

type Fields = RowValues['fields'];

/** What `Value` is of each type of discount, and what a formula is called. */
const valueOf = {
  AMOUNT: { field: 'amount_off', read: moneyOfCell },
  PERCENT: { field: 'percent_off', read: numberOfCell },
  FIXED: { field: 'fixed_amount', read: moneyOfCell },
  UNIT: { field: 'unit_off', read: countOfCell },
} as const;

const isDiscountType = (type: string): type is keyof typeof valueOf => Object.hasOwn(valueOf, type);

const discountOf = ({
  discount_type,
  discount_unit_type,
  discount_effect,
  value,
  formula,
}: Fields): object => {
  if (discount_type === undefined) throw refuseRow('Discount Type is required');
  const type = discount_type.trim().toUpperCase();
  if (!isDiscountType(type))
    throw refuseRow(`Discount Type must be one of ${Object.keys(valueOf).join(', ')}`);
  if (value === undefined) throw refuseRow('Value is required');
  if (type === 'UNIT' && discount_unit_type === undefined) throw refuseRow('Discount Unit Type is required');
  const { field, read } = valueOf[type];
  return {
    type,
    [field]: read('value', value),
    ...(type === 'UNIT' ? { unit_type: discount_unit_type } : {}),
    ...(discount_effect === undefined ? {} : { effect: discount_effect }),
    ...(formula === undefined ? {} : { [`${field}_formula`]: formula }),
  };
};

const giftOf = ({ value }: Fields): object => {
  if (value === undefined) throw refuseRow('Value is required');
  return { amount: moneyOfCell('value', value) };
};

const types = ['DISCOUNT_VOUCHER', 'GIFT_VOUCHER'];

/** The standalone voucher that a row of a file tells. Throws `EdgeFailure` (400), naming the column. Source: reference 04 §4.7, 07
 *  §11. */
export const standaloneOfRow = ({ fields, metadata }: RowValues): StandaloneVoucher => {
  const { code, voucher_type } = fields;
  if (code === undefined) throw refuseRow('Code is required');
  if (voucher_type === undefined) throw refuseRow('Voucher Type is required');
  const type = voucher_type.trim().toUpperCase();
  if (!types.includes(type)) throw refuseRow(`Voucher Type must be one of ${types.join(', ')}`);
  const quantity = countOfCell('redemption_limit', fields['redemption_limit']);
  const active = flagOfCell('active', fields['active']);
  const sent = (['category', 'start_date', 'expiration_date', 'additional_info'] as const).filter(
    (field) => fields[field] !== undefined,
  );
  const { code: read, ...body } = readInput(
    CreateCodedVoucherBody,
    {
      code,
      type,
      ...(type === 'GIFT_VOUCHER' ? { gift: giftOf(fields) } : { discount: discountOf(fields) }),
      ...Object.fromEntries(sent.map((field) => [field, fields[field]])),
      ...(active === undefined ? {} : { active }),
      ...(quantity === undefined ? {} : { redemption: { quantity } }),
      metadata,
    },
    'body',
  );
  return {
    code: read!,
    body: JSON.parse(JSON.stringify(body)) as StandaloneVoucher['body'],
    rule: fields['validation_rule_id']?.trim(),
    redeemed_quantity: countOfCell('redeemed_quantity', fields['redeemed_quantity']),
    redeemed_amount: moneyOfCell('redeemed_amount', fields['redeemed_amount']),
  };
};
