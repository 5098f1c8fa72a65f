import type { ImportColumns } from '@scrip/tasks/imports';

/** The columns of a file of codes for a campaign. Source: reference 04 §4.7. */
export const campaignColumns: ImportColumns = {
  identifier: 'code',
  standard: [
    { names: ['Code'], field: 'code', required: true },
    { names: ['Active'], field: 'active' },
    { names: ['Category'], field: 'category' },
    { names: ['Start Date'], field: 'start_date' },
    { names: ['Expiration Date'], field: 'expiration_date' },
    { names: ['Gift Amount'], field: 'gift_amount' },
    { names: ['Loyalty Points'], field: 'loyalty_points' },
    { names: ['Redeemed Quantity'], field: 'redeemed_quantity' },
    { names: ['Redeemed Amount'], field: 'redeemed_amount' },
  ],
};
