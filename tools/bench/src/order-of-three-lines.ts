/** The order that redemptions are measured with. */
export const orderOfThreeLines = {
  items: [
    { source_id: 'mug', related_object: 'sku', price: 1_000, quantity: 2 },
    { source_id: 'poster', related_object: 'sku', price: 1_500, quantity: 3 },
    { source_id: 'shirt', related_object: 'sku', price: 2_000, quantity: 1 },
  ],
};
