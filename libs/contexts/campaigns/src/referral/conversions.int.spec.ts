import type { CampaignSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { StoredEvent } from '@scrip/event-store';
import { isRefused, newEventId } from '@scrip/kernel';
import type { EventBatch } from '@scrip/messaging';
import type { CampaignsFixture } from '../campaigns.fixture';
import { bootCampaigns, caller, coupons, project } from '../campaigns.fixture';
import { Redeemables } from '../voucher/redeemables';
import { ConversionConsumer } from './conversion.consumer';
import { referralIdOf } from './referral.aggregate';

let fixture: CampaignsFixture;

beforeAll(async () => {
  fixture = await bootCampaigns();
});

afterAll(() => fixture.running.close());

interface Code {
  voucher: VoucherSnapshot;
  campaign: CampaignSnapshot;
}

let made = 0;

/** So many published codes of one program. */
const codesOf = async (count: number): Promise<Code[]> => {
  const name = `Program ${(made += 1)}`;
  const program = coupons(name, { campaign_type: 'REFERRAL_PROGRAM', vouchers_count: 0 });
  const { body } = await fixture.call('POST', '/v1/campaigns', program);
  const codes = Array.from({ length: count }, (_, n) => `REFER-${made}-${n}`);
  const publish = async (code: string): Promise<void> => {
    await fixture.call('POST', `/v1/campaigns/${body.id}/vouchers/${code}`, {});
    await fixture.call('POST', '/v1/publications', { voucher: code, customer: { source_id: `of-${code}` } });
  };
  await Promise.all(codes.map(publish));
  const found = await fixture.get(Redeemables).load(caller(), codes);
  return found.map((one) => {
    if (isRefused(one) || !one.campaign) throw new Error('no code');
    return { voucher: one.voucher, campaign: one.campaign };
  });
};

/** An event of a redemption of the code by the customer. */
const told = (
  type: 'RedemptionSucceeded' | 'RedemptionRolledBack',
  { voucher, campaign }: Code,
  customer_id: string | null,
  redemptionId: string,
): StoredEvent =>
  ({
    id: newEventId(),
    projectId: project.id,
    streamId: redemptionId,
    type,
    recordedAt: '2026-03-10T10:00:00.000Z',
    metadata: { correlation_id: 'v-1' },
    data: {
      redemption: { id: redemptionId, customer_id, voucher, date: '2026-03-10T10:00:00.000Z' },
      campaign,
    },
  }) as unknown as StoredEvent;

const consume = (...events: StoredEvent[]): Promise<void> =>
  fixture.get(ConversionConsumer).redemptions({ events } as unknown as EventBatch);

const eventsOf = async (code: Code, customer: string): Promise<string[]> => {
  const rows = await fixture.database.query('SELECT type FROM events WHERE stream_id = $1 ORDER BY version', [
    referralIdOf(code.campaign.id, customer),
  ]);
  return rows.map(({ type }: { type: string }) => type);
};

const refereesOf = async ({ voucher }: Code): Promise<string[]> => {
  const rows = await fixture.database.query(
    `SELECT customer_id FROM holders WHERE voucher_id = $1 AND role = 'REFEREE' ORDER BY customer_id`,
    [voucher.id],
  );
  return rows.map(({ customer_id }: { customer_id: string }) => customer_id);
};

it('refers a customer once by 50 redemptions of 50 codes at once, and adds the customer to one code', async () => {
  const codes = await codesOf(50);
  await Promise.all(
    codes.map((code, n) => consume(told('RedemptionSucceeded', code, 'cust_bea', `r_race_${n}`))),
  );
  expect(await eventsOf(codes[0]!, 'cust_bea')).toEqual(['CustomerReferred']);
  const referees = await Promise.all(codes.map(refereesOf));
  expect(referees.flat()).toEqual(['cust_bea']);
});

it('has the effect of one where events come again, also after later ones', async () => {
  const [code] = (await codesOf(1)) as [Code];
  const redeemed = told('RedemptionSucceeded', code, 'cust_cid', 'r_again');
  const rolledBack = told('RedemptionRolledBack', code, 'cust_cid', 'r_again');
  await consume(redeemed, redeemed);
  await consume(redeemed);
  expect(await eventsOf(code, 'cust_cid')).toEqual(['CustomerReferred']);
  expect(await refereesOf(code)).toEqual(['cust_cid']);
  await consume(rolledBack, rolledBack);
  await consume(redeemed, rolledBack);
  expect(await eventsOf(code, 'cust_cid')).toEqual(['CustomerReferred', 'ReferralRevoked']);
  expect(await refereesOf(code)).toEqual(['cust_cid']);
  await consume(told('RedemptionSucceeded', code, 'cust_cid', 'r_next'));
  expect(await eventsOf(code, 'cust_cid')).toEqual([
    'CustomerReferred',
    'ReferralRevoked',
    'CustomerReferred',
  ]);
});

it('adds the referee where a process was killed between the referral and that', async () => {
  const [code] = (await codesOf(1)) as [Code];
  const redeemed = told('RedemptionSucceeded', code, 'cust_kim', 'r_killed');
  await consume(redeemed);
  await fixture.database.query(`DELETE FROM holders WHERE voucher_id = $1 AND role = 'REFEREE'`, [
    code.voucher.id,
  ]);
  await consume(redeemed);
  expect(await refereesOf(code)).toEqual(['cust_kim']);
  expect(await eventsOf(code, 'cust_kim')).toEqual(['CustomerReferred']);
});

it('leaves out redemptions without a customer, by the referrer and of another redemption', async () => {
  const [code] = (await codesOf(1)) as [Code];
  const referrer = code.voucher.referrer_id!;
  await consume(
    told('RedemptionSucceeded', code, null, 'r_none'),
    told('RedemptionSucceeded', code, referrer, 'r_own'),
    told('RedemptionSucceeded', code, 'cust_dan', 'r_dan'),
    told('RedemptionRolledBack', code, 'cust_dan', 'r_other'),
  );
  expect(await eventsOf(code, referrer)).toEqual([]);
  expect(await eventsOf(code, 'cust_dan')).toEqual(['CustomerReferred']);
  expect(await refereesOf(code)).toEqual(['cust_dan']);
});
