import { Fault } from '@scrip/kernel';
import { campaignAggregate } from '../campaign/campaign.aggregate';
import { type CampaignsFixture, bootCampaigns, coupons, StoredPromotions } from '../campaigns.fixture';

let fixture: CampaignsFixture;
let owner: StoredPromotions;

beforeAll(async () => {
  fixture = await bootCampaigns();
  owner = fixture.running.app.get(StoredPromotions, { strict: false });
}, 60_000);
beforeEach(() => owner.changed.splice(0));
afterEach(() => jest.restoreAllMocks());
afterAll(() => fixture?.running.close());

const expiration_date = '2030-01-01T00:00:00.000Z';
const changes: [
  name: string,
  change: (path: string) => Promise<{ status: number }>,
  told: object,
  after: object,
][] = [
  [
    'a switch',
    (path) => fixture.call('POST', `${path}/disable`),
    { campaign: { active: false }, deleted_at: null },
    { status: 200, body: { active: false } },
  ],
  [
    'an update',
    (path) => fixture.call('PUT', path, { expiration_date }),
    { campaign: { expiration_date }, deleted_at: null },
    { status: 200, body: { expiration_date } },
  ],
  ['a deletion', (path) => fixture.call('DELETE', path), { deleted_at: expect.any(String) }, { status: 404 }],
];

const away: [why: string, error: Error][] = [
  ['it is away', new Fault('unavailable', 'away')],
  ['its database is', new Error('Connection terminated unexpectedly')],
];

const newPromotion = async (name: string) => {
  const tiers = [{ name: 'One' }];
  const body = { name, campaign_type: 'PROMOTION', promotion: { tiers } };
  return (await fixture.call('POST', '/v1/campaigns', body)).body.id as string;
};

describe.each(changes)('%s of a promotion campaign', (name, change, told, after) => {
  it('is told to the owner of its tiers before it is answered', async () => {
    const id = await newPromotion(`Told of ${name}`);
    expect((await change(`/v1/campaigns/${id}`)).status).toBeLessThan(300);
    expect(owner.changed).toMatchObject([{ ...told, version: 2 }]);
    expect(owner.changed[0]!.campaign.id).toBe(id);
  });

  it.each(away)('stands where that owner does not answer: %s', async (why, error) => {
    const id = await newPromotion(`Untold of ${name}, ${why}`);
    jest.spyOn(owner, 'changeCampaign').mockRejectedValue(error);
    expect((await change(`/v1/campaigns/${id}`)).status).toBeLessThan(300);
    expect(await fixture.call('GET', `/v1/campaigns/${id}`)).toMatchObject(after);
  });

  it('is not told of a campaign of codes', async () => {
    const { body } = await fixture.call('POST', '/v1/campaigns', coupons(`Codes of ${name}`));
    await change(`/v1/campaigns/${body.id as string}`);
    expect(owner.changed).toEqual([]);
  });
});

describe('the creation of a promotion', () => {
  it.each(away)('stands where the owner of its tiers does not answer: %s', async (why, error) => {
    jest.spyOn(owner, 'storeCampaign').mockRejectedValueOnce(error);
    const body = {
      name: `Unstored, ${why}`,
      campaign_type: 'PROMOTION',
      promotion: { tiers: [{ name: 'One' }] },
    };
    const created = await fixture.call('POST', '/v1/campaigns', body);
    expect(created).toMatchObject({ status: 200, body: { promotion: { total: 1 } } });
  });

  it.each(['before', 'after'])('happens once when the connection is lost %s the commit', async (moment) => {
    const campaigns = fixture.events.aggregate(campaignAggregate);
    const createTogether = campaigns.createTogether.bind(campaigns);
    jest.spyOn(campaigns, 'createTogether').mockImplementationOnce(async (...given) => {
      if (moment === 'after') await createTogether(...given);
      throw new Error('Connection terminated unexpectedly');
    });
    const body = {
      name: `Lost ${moment}`,
      campaign_type: 'PROMOTION',
      promotion: { tiers: [{ name: 'One' }] },
    };
    const created = await fixture.call('POST', '/v1/campaigns', body);
    expect(created).toMatchObject({ status: 200, body: { name: `Lost ${moment}`, promotion: { total: 1 } } });
  });
});
