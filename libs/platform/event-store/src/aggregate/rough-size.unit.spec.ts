import { roughSize } from './rough-size';

const voucher = {
  id: 'v_4f1c2a9e8b7d6c5f',
  code: 'SUMMER-2026',
  discount: { type: 'PERCENT', percent_off: 15, amount_limit: null },
  metadata: { shop: 'Kraków', tags: ['a', 'b', 'c'] },
  active: true,
};
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('the rough size', () => {
  it.each<[string, unknown]>([
    ['an object', voucher],
    ['a long text', 'x'.repeat(100_000)],
    ['a list', times(5, () => voucher)],
    ['a long list', times(10_000, (index) => ({ ...voucher, code: `C-${index}` }))],
    ['a map', Object.fromEntries(times(5_000, (index) => [`cust_${index}`, { ...voucher }]))],
    ['lists in lists', { rows: times(500, () => ({ cells: times(500, () => 'text') })) }],
    ['one large property among small ones', { ...voucher, note: 'n'.repeat(50_000) }],
  ])('of %s is near the length of its JSON', (_name, value) => {
    const { length } = JSON.stringify(value);
    expect(roughSize(value)).toBeGreaterThan(length * 0.6);
    expect(roughSize(value)).toBeLessThan(length * 2);
  });

  it('looks at few members of a long list', () => {
    let looks = 0;
    const member = (): object => ({
      get text(): string {
        looks += 1;
        return 'text';
      },
    });
    roughSize(times(100_000, member));
    expect(looks).toBe(8);
  });
});
