import { waitUntil } from '@scrip/testing';
import { bootCampaigns, type CampaignsFixture, coupons } from '../campaigns.fixture';

let fixture: CampaignsFixture;
let campaignId: string;
let count = 0;

beforeAll(async () => {
  fixture = await bootCampaigns();
});
afterAll(() => fixture?.running.close());
beforeEach(async () => {
  count += 1;
  const body = coupons(`shared ${count}`, { vouchers_count: 2, expiration_date: '2099-01-01' });
  campaignId = (await fixture.call('POST', '/v1/campaigns', body)).body.id;
  await holds(2);
});

const campaign = async () => (await fixture.call('GET', `/v1/campaigns/${campaignId}`)).body;
const holds = (codes: number) =>
  waitUntil(
    async () => {
      const { vouchers_count, vouchers_generation_status } = await campaign();
      return vouchers_count === codes && vouchers_generation_status === 'DONE';
    },
    { what: `${codes} codes` },
  );
const order = async (body: object) =>
  expect(
    (await fixture.call('POST', `/v1/campaigns/${campaignId}/vouchers?vouchers_count=2`, body)).status,
  ).toBe(202);
const imported = async (codes: string[], fields: object = {}) => {
  const body = codes.map((code) => ({ code: `${code}-${count}`, ...fields }));
  expect((await fixture.call('POST', `/v1/campaigns/${campaignId}/import`, body)).status).toBe(202);
};
const definitions = (): Promise<{ own_fields: string[]; info: string | null; revision: number }[]> =>
  fixture.database.query(
    `SELECT own_fields, template->>'additional_info' AS info, revision FROM voucher_definitions
     WHERE template->>'campaign_id' = $1 AND newest ORDER BY own_fields, info NULLS FIRST`,
    [campaignId],
  );
const plain = { own_fields: [], info: null, revision: 1 };

describe('a definition of codes', () => {
  it('is that of all orders and imports whose codes say what their campaign says', async () => {
    await order({});
    await holds(4);
    await imported(['A', 'B']);
    await holds(6);
    // What single codes say otherwise is theirs.
    await imported(['C'], { additional_info: 'own', redemption: { quantity: 3 } });
    await holds(7);
    expect(await definitions()).toEqual([plain]);
    const { body } = await fixture.call('GET', `/v1/vouchers/C-${count}`);
    expect(body).toMatchObject({ additional_info: 'own', redemption: { quantity: 3 } });
  });

  it('is another one where an order sets something itself, and the same for the next that sets the same', async () => {
    const own = { expiration_date: '2030-01-01' };
    for (const [at, body] of [own, { additional_info: 'printed' }, own, {}].entries()) {
      await order(body);
      await holds(4 + 2 * at);
    }
    expect(await definitions()).toEqual([
      plain,
      { ...plain, info: 'printed' },
      { ...plain, own_fields: ['expiration_date'] },
    ]);
    const { body } = await fixture.call('GET', `/v1/vouchers?campaign_id=${campaignId}&limit=100`);
    const told = body.vouchers.map(
      ({ expiration_date, additional_info }: Record<string, string | null>) =>
        `${expiration_date?.slice(0, 4)} ${additional_info}`,
    );
    expect(told.sort()).toEqual([
      ...Array.from({ length: 4 }, () => '2030 null'),
      ...Array.from({ length: 4 }, () => '2099 null'),
      ...Array.from({ length: 2 }, () => '2099 printed'),
    ]);
  });

  it('is still the one after the campaign has changed', async () => {
    await imported(['D']);
    await holds(3);
    const { status } = await fixture.call('PUT', `/v1/campaigns/${campaignId}`, {
      metadata: { season: 'fall' },
    });
    expect(status).toBe(200);
    await imported(['E']);
    await holds(4);
    await order({});
    await holds(6);
    expect(await definitions()).toEqual([{ ...plain, revision: 2 }]);
    const { body } = await fixture.call('GET', `/v1/vouchers/E-${count}`);
    expect(body.metadata).toEqual({ season: 'fall' });
  });
});
