import type { ImportColumns } from '@scrip/tasks/imports';

/** The field that names the rule of a voucher. */
export const ruleField = 'validation_rule_id';

/** The columns of a file of standalone vouchers. Source: reference 04 §4.7. */
export const standaloneColumns: ImportColumns = {
  identifier: 'code',
  standard: [
    { names: ['Code'], field: 'code', required: true },
    { names: ['Voucher Type'], field: 'voucher_type' },
    { names: ['Value'], field: 'value' },
    { names: ['Discount Type'], field: 'discount_type' },
    { names: ['Discount Unit Type'], field: 'discount_unit_type' },
    { names: ['Discount Effect'], field: 'discount_effect' },
    { names: ['Formula'], field: 'formula' },
    { names: ['Validation Rule ID'], field: ruleField },
    { names: ['Active'], field: 'active' },
    { names: ['Category'], field: 'category' },
    { names: ['Start Date'], field: 'start_date' },
    { names: ['Expiration Date'], field: 'expiration_date' },
    { names: ['Redemption Limit'], field: 'redemption_limit' },
    { names: ['Redeemed Quantity'], field: 'redeemed_quantity' },
    { names: ['Redeemed Amount'], field: 'redeemed_amount' },
    { names: ['Additional Info'], field: 'additional_info' },
  ],
};
