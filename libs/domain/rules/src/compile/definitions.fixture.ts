/** Definitions of rules at the top of an object. */
export const segment = { name: 'customer.segment', conditions: { $is: ['seg_1'] } };
export const mugs = { name: 'order.items.any', conditions: { $is: [{ id: 'prod_1', object: 'product' }] } };
