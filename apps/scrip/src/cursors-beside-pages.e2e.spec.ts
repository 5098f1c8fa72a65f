import { type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';

type Entry = { id: string };

describe('lists by pages that also go on behind an entry (reference 07 §1.4)', () => {
  let scrip: SharedScrip;
  const codes: string[] = [];

  beforeAll(async () => {
    scrip = await sharedScrip();
    const voucher = { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 100 } };
    for (const name of ['One', 'Two', 'Three'])
      await scrip.call('POST', '/v1/campaigns', { name, campaign_type: 'DISCOUNT_COUPONS', voucher });
    // Created in one call: of one time.
    await scrip.call('POST', '/v1/campaigns/One/vouchers?vouchers_count=5', {});
    await waitUntil(async () => (await scrip.call('GET', '/v1/vouchers?campaign=One')).body.total === 5, {
      what: 'the codes to be generated',
    });
    const { body } = await scrip.call('GET', '/v1/vouchers?campaign=One');
    for (const { code } of body.vouchers as { code: string }[]) codes.push(code);
    for (const [index, code] of codes.entries()) {
      const customer = { source_id: `shopper-${index}` };
      await scrip.call('POST', '/v1/publications', { voucher: code, customer });
      await scrip.call('POST', '/v1/redemptions', {
        redeemables: [{ object: 'voucher', id: code }],
        customer,
      });
    }
  });

  const entries = async (path: string, list: string): Promise<Entry[]> => {
    const { status, body } = await scrip.call('GET', path);
    expect(status).toBe(200);
    return body[list] as Entry[];
  };

  describe.each([
    ['campaigns', '/v1/campaigns'],
    ['vouchers', '/v1/vouchers?campaign=One'],
    ['publications', '/v1/publications?campaign=One'],
    ['redemptions', '/v1/redemptions?campaign=One'],
  ])('%s', (list, path) => {
    const at = (more: string) => `${path}${path.includes('?') ? '&' : '?'}${more}`;

    it.each(['-created_at', 'created_at'])(
      'show each entry once, two at a time, ordered by %s',
      async (order) => {
        const all = await entries(at(`limit=100&order=${order}`), list);
        expect(all.length).toBeGreaterThanOrEqual(3);
        const walked: string[] = [];
        for (let after = ''; ;) {
          const page = await entries(at(`limit=2&order=${order}${after}`), list);
          walked.push(...page.map(({ id }) => id));
          if (page.length === 0) break;
          after = `&starting_after_id=${page.at(-1)!.id}`;
        }
        expect(walked).toEqual(all.map(({ id }) => id));
      },
    );

    it('keep the total of all', async () => {
      const [first] = await entries(at('limit=1'), list);
      const { body: all } = await scrip.call('GET', at('limit=1'));
      const { body: rest } = await scrip.call('GET', at(`limit=100&starting_after_id=${first!.id}`));
      expect(rest.total).toBe(all.total);
      expect(rest[list]).toHaveLength((all.total as number) - 1);
    });

    it('refuse an unknown entry, and an order whose values change', async () => {
      const { status, body } = await scrip.call('GET', at('starting_after_id=none'));
      expect([status, body.details]).toEqual([
        400,
        'Property .starting_after_id names no entry of the list: none',
      ]);
      const order = list === 'publications' || list === 'redemptions' ? 'customer_id' : 'updated_at';
      const other = await scrip.call('GET', at(`starting_after_id=none&order=${order}`));
      expect(other.body.details).toBe(
        'Property .starting_after_id cannot be combined with an order other than created_at or -created_at',
      );
    });
  });

  it.each([
    '/v1/customers?filters[metadata.age][conditions][$is]=5',
    '/v1/orders?filters[status][conditions][$is]=PAID',
    '/v1/segments?starting_after_id=seg_1',
    '/v1/categories?starting_after_id=cat_1',
    '/v1/validation-rules?starting_after_id=val_1',
    '/v1/product-collections?starting_after_id=pc_1',
    '/v1/locations?starting_after_id=loc_1',
    '/v1/async-actions?starting_after_id=aa_1',
    '/v1/promotions/tiers?starting_after_id=promo_1',
    '/v1/metadata-schemas?filters[id][conditions][$is]=ms_1',
  ])('is refused where the list does not know it: %s', async (path) => {
    const { status, body } = await scrip.call('GET', path);
    expect([status, body.key]).toEqual([400, 'invalid_query_params']);
    expect(body.details).toMatch(/^Property \.(filters|starting_after_id) is not taken by this list\. /);
  });
});
