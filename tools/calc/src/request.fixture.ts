/** Four cups at 10.00. */
export const order = { items: [{ product_id: 'prod_cup', quantity: 4, price: 1000 }] };

/** Settings under which redeemables apply although others do not. */
export const partial = { redeemables_application_mode: 'PARTIAL' } as const;
