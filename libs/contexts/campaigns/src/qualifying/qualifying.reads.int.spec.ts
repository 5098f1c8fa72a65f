import { loadAllQualifying, type QualifyingFound } from '@scrip/contracts/campaigns';
import { bootCampaigns, caller, type CampaignsFixture, coupons } from '../campaigns.fixture';

/** What one frame between services holds. */
const frameBytes = 1_048_576;

let fixture: CampaignsFixture;
/** Campaigns whose metadata are nearly as large as metadata can be, each with a code that Ada holds: the newest first. */
const made: { campaign: string; voucher: string }[] = [];

const customer_id = 'cust_of_ada';
const bytesOf = (answer: unknown): number => Buffer.byteLength(JSON.stringify(answer));

beforeAll(async () => {
  fixture = await bootCampaigns();
  for (let nth = 1; nth <= 10; nth += 1) {
    const fields = { vouchers_count: 1, metadata: { note: 'x'.repeat(60_000) } };
    const { body } = await fixture.call('POST', '/v1/campaigns', coupons(`Large ${nth}`, fields));
    const published = await fixture.call('POST', '/v1/publications', {
      campaign: body.name,
      customer: { source_id: 'ada' },
    });
    made.unshift({ campaign: body.id, voucher: published.body.voucher.id });
  }
});
afterAll(() => fixture?.running.close());

describe('what qualifications load', () => {
  const objects = () => [
    { type: 'campaign' as const, id: 'camp_none' },
    ...made.map(({ campaign: id }) => ({ type: 'campaign' as const, id })),
    ...made.map(({ voucher: id }) => ({ type: 'voucher' as const, id })),
  ];
  const idOf = (found: QualifyingFound): string | null =>
    found && ('voucher' in found ? found.voucher.id : found.campaign.id);

  it('comes in the order asked, and no more of it than fits one answer', async () => {
    const part = await fixture.port.loadQualifying(caller(), { objects: objects() });
    expect(bytesOf(part)).toBeLessThan(frameBytes);
    expect(part.map(idOf)).toEqual(
      [null, ...made.map(({ campaign }) => campaign)].concat(
        made.slice(0, part.length - 11).map(({ voucher }) => voucher),
      ),
    );
    expect(part.length).toBeLessThan(21);
    const all = await loadAllQualifying(fixture.port, caller(), objects());
    expect(all.map(idOf)).toEqual([
      null,
      ...made.map(({ campaign }) => campaign),
      ...made.map(({ voucher }) => voucher),
    ]);
  });

  it('is, of what a customer holds, a page that fits one answer, and where the next one begins', async () => {
    const held: string[] = [];
    const sizes: number[] = [];
    let after = null;
    do {
      const page = await fixture.port.listHeld(caller(), { customer_id, among: 'ALL', after, limit: 200 });
      expect(bytesOf(page)).toBeLessThan(frameBytes);
      held.push(...page.held.map(({ voucher }) => voucher.id));
      sizes.push(page.held.length);
      after = page.next;
    } while (after !== null);
    expect(held).toEqual(made.map(({ voucher }) => voucher));
    expect(sizes.length).toBeGreaterThan(1);
  });

  it('tells where the next page begins where a page is full', async () => {
    const wanted = { customer_id, among: 'ALL' as const, after: null, limit: 2 };
    const { next } = await fixture.port.listHeld(caller(), wanted);
    expect(next).toMatchObject({ id: made[1]!.voucher });
    const { held } = await fixture.port.listHeld(caller(), { ...wanted, after: next, limit: 1 });
    expect(held.map(({ voucher }) => voucher.id)).toEqual([made[2]!.voucher]);
  });
});
