import type { VoucherSnapshot } from '@scrip/contracts/campaigns';
import { campaignSnapshot } from '../campaign/campaign.fixture';
import { voucherOf, type VoucherState } from '../voucher/voucher.decider';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { datesWhenPublished } from './activity-duration';
import { decidePublishing } from './publish-voucher.decider';

const campaign = campaignSnapshot();
const now = new Date('2026-06-30T12:00:00.000Z');
const publishing = { publication_id: 'pub_1', customer_id: 'cust_1', campaign, now, timezone: 'UTC' };

const voucher = (fields: Partial<VoucherSnapshot> = {}): VoucherState => ({
  voucher: {
    ...voucherOf(voucherTemplateOf(campaign), {
      id: 'v_1',
      code: 'A',
      created_at: '2026-03-01T10:00:00.000Z',
    }),
    ...fields,
  },
  code_key: 'A',
});

describe('a voucher that is published', () => {
  it('belongs to the customer and keeps its dates', () => {
    expect(decidePublishing(publishing, voucher())).toEqual([
      {
        type: 'VoucherPublished',
        data: {
          publication_id: 'pub_1',
          holder_id: 'cust_1',
          referrer_id: null,
          start_date: '2026-03-01T00:00:00.000Z',
          expiration_date: null,
          published_at: now.toISOString(),
        },
      },
    ]);
  });

  it('tells what is on a gift card', () => {
    const gift = { amount: 5_000, subtracted_amount: 0, balance: 4_000, effect: 'APPLY_TO_ORDER' } as const;
    expect(decidePublishing(publishing, voucher({ gift }))).toMatchObject([
      { data: { gift_balance: 4_000 } },
    ]);
  });

  it('has the customer as its referrer where it is a referral code', () => {
    expect(decidePublishing(publishing, voucher({ is_referral_code: true }))).toMatchObject([
      { data: { holder_id: 'cust_1', referrer_id: 'cust_1' } },
    ]);
  });

  it('can be one of a disabled campaign', () => {
    const disabled = { ...publishing, campaign: campaignSnapshot({ active: false }) };
    expect(decidePublishing(disabled, voucher())).toHaveLength(1);
  });

  it('is not one that was deleted meanwhile', () => {
    const deleted = { ...voucher(), deleted_at: now.toISOString() };
    expect(decidePublishing(publishing, deleted)).toMatchObject({ refused: 'not_found' });
  });

  it.each([
    [
      'published before',
      { publish: { count: 1 } },
      "voucher_already_published: Voucher 'v_1' has already been published",
    ],
    [
      'published before, to the same customer',
      { publish: { count: 1 }, holder_id: 'cust_1' },
      "voucher_already_published: Voucher 'v_1' has already been published",
    ],
    ['inactive', { active: false }, "voucher_disabled: Voucher 'v_1' is not active"],
    [
      'published before and inactive',
      { publish: { count: 1 }, active: false },
      "voucher_already_published: Voucher 'v_1' has already been published",
    ],
  ])('is not one that is %s', (_, fields, refusal) => {
    const { refused, details } = decidePublishing(publishing, voucher(fields)) as {
      refused: string;
      details: string;
    };
    expect(`${refused}: ${details}`).toBe(refusal);
  });
});

describe('activity_duration_after_publishing', () => {
  const own = { start_date: '2026-03-01T00:00:00.000Z', expiration_date: '2026-07-01T00:00:00.000Z' };
  it.each([
    ['none: its own dates stay', null, 'UTC', own],
    [
      'P10D, beyond the end of the campaign',
      'P10D',
      'UTC',
      { start_date: now.toISOString(), expiration_date: '2026-07-10T12:00:00.000Z' },
    ],
    ['P24D', 'P24D', 'UTC', { start_date: now.toISOString(), expiration_date: '2026-07-24T12:00:00.000Z' }],
    [
      'PT36H',
      'PT36H',
      'Europe/Warsaw',
      { start_date: now.toISOString(), expiration_date: '2026-07-02T00:00:00.000Z' },
    ],
    [
      'days of the calendar across a change of the clocks',
      'P120D',
      'Europe/Warsaw',
      { start_date: now.toISOString(), expiration_date: '2026-10-28T13:00:00.000Z' },
    ],
  ])('%s', (_, activity_duration_after_publishing, timezone, dates) => {
    expect(datesWhenPublished(own, { activity_duration_after_publishing }, { now, timezone })).toEqual(dates);
  });
});
