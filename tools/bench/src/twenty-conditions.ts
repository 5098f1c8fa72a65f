const count = 20;

/** A rule of 20 conditions on segments, metadata and the order, all of which hold for a customer of `segmentId` from Kraków with an
 *  order of at least 10.20 on the channel `app-ios`. */
export const twentyConditions = (segmentId: string) => ({
  name: 'twenty',
  rules: {
    ...Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        String(index + 1),
        [
          { name: 'customer.segment', conditions: { $is: [`seg_${index}`, segmentId] } },
          { name: 'order.initial_amount', conditions: { $more_than_or_equal: [1_000 + index] } },
          { name: 'customer.metadata', property: 'city', conditions: { $in: ['Kraków', `City ${index}`] } },
          { name: 'order.items.count', conditions: { $more_than: [0], $less_than: [1_000 + index] } },
          { name: 'order.metadata', property: 'channel', conditions: { $starts_with: ['app'] } },
        ][index % 5],
      ]),
    ),
    logic: Array.from({ length: count }, (_, index) => index + 1).join(' and '),
  },
});
