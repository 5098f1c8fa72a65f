import { join } from 'node:path';
import type { VoucherEvent } from '@scrip/contracts/campaigns';
import type { AggregateDefinition, EventData } from '@scrip/event-store';
import { upcast } from '@scrip/kernel';
import { FrozenEvents } from '@scrip/testing';
import { campaignAggregate } from './campaign/campaign.aggregate';
import { publicationAggregate } from './publication/publication.aggregate';
import { referralAggregate } from './referral/referral.aggregate';
import { taskAggregate } from './tasks/task.aggregate';
import { templateAggregate } from './templates/template.aggregate';
import consumedV1 from './voucher/fixtures/voucher-quantity-consumed.v1.json';
import consumedV2 from './voucher/fixtures/voucher-quantity-consumed.v2.json';
import restoredV1 from './voucher/fixtures/voucher-quantity-restored.v1.json';
import restoredV2 from './voucher/fixtures/voucher-quantity-restored.v2.json';
import { voucherAggregate } from './voucher/voucher.aggregate';
import { type VoucherState, evolveVoucher } from './voucher/voucher.decider';

const frozenIn = <State, Event extends EventData>(
  feature: string,
  aggregate: AggregateDefinition<State, Event>,
): FrozenEvents<State, Event> => new FrozenEvents(join(__dirname, feature, 'fixtures'), aggregate);

const campaigns = frozenIn('campaign', campaignAggregate);
const vouchers = frozenIn('voucher', voucherAggregate);
const referrals = frozenIn('referral', referralAggregate);
const publications = frozenIn('publication', publicationAggregate);
const templates = frozenIn('templates', templateAggregate);
const tasks = frozenIn('tasks', taskAggregate);

test('events of each version of each type are frozen', () => {
  expect(
    campaigns.problems([
      'CampaignCreated',
      'CampaignDeleted',
      'CampaignPurged',
      'VoucherGenerationStarted',
      'VouchersGenerated',
      'VouchersImported',
      'VoucherGenerationCompleted',
      'VoucherGenerationFailed',
      'CampaignVouchersAdded',
      'CampaignUpdated',
      'CampaignVouchersUpdated',
      'CampaignEnabled',
      'CampaignDisabled',
    ]),
  ).toEqual([]);
  expect(
    vouchers.problems([
      'VoucherFollowedCampaign',
      'VoucherCreated',
      'VoucherImported',
      'VoucherPublished',
      'VoucherQuantityConsumed',
      'VoucherQuantityRestored',
      'GiftCreditsAdjusted',
      'GiftCreditsRedeemed',
      'GiftCreditsRefunded',
      'VoucherHeld',
      'VoucherHoldsEnded',
      'VoucherDeleted',
      'VoucherPurged',
      'VoucherUpdated',
      'VoucherFieldsChanged',
      'VoucherEnabled',
      'VoucherDisabled',
    ]),
  ).toEqual([]);
  expect(
    templates.problems(['CampaignTemplateCreated', 'CampaignTemplateUpdated', 'CampaignTemplateDeleted']),
  ).toEqual([]);
  expect(
    publications.problems([
      'PublicationSucceeded',
      'PublicationFailed',
      'HolderAssigned',
      'HolderUnassigned',
    ]),
  ).toEqual([]);
  expect(referrals.problems(['CustomerReferred', 'ReferralRevoked'])).toEqual([]);
  expect(
    tasks.problems([
      'AsyncActionEnqueued',
      'AsyncActionStarted',
      'AsyncActionCompleted',
      'AsyncActionFailed',
    ]),
  ).toEqual([]);
});

test('stored campaign events are read as they were meant', () => {
  const state = campaigns.folded(
    'CampaignCreated',
    'VoucherGenerationStarted',
    'VouchersGenerated',
    'VoucherGenerationCompleted',
    'CampaignVouchersAdded',
  );
  expect(state).toMatchObject({
    campaign: { id: 'camp_1', name: 'Spring', creation_status: 'DONE', metadata: { season: 'spring' } },
    generated: 2,
    running: null,
    ended: { async_action_id: 'aa_c1', count: 2, error: null },
  });
});

test('stored switches of a campaign are read as they were meant', () => {
  const off = campaigns.folded('CampaignCreated', 'CampaignDisabled');
  expect(off).toMatchObject({ campaign: { active: false }, revision: 1 });
  const on = campaigns.folded('CampaignCreated', 'CampaignDisabled', 'CampaignEnabled');
  expect(on).toMatchObject({ campaign: { active: true }, revision: 2 });
});

test('stored changes of a campaign are read as they were meant', () => {
  const changing = campaigns.folded('CampaignCreated', 'CampaignUpdated');
  expect(changing).toMatchObject({
    campaign: { creation_status: 'MODIFYING' },
    revision: 1,
    updates: ['aa_u1'],
  });
  const done = campaigns.folded('CampaignCreated', 'CampaignUpdated', 'CampaignVouchersUpdated');
  expect(done).toMatchObject({ campaign: { creation_status: 'DONE' }, revision: 1, updates: [] });
  expect(vouchers.folded('VoucherCreated', 'VoucherFollowedCampaign')?.voucher).toMatchObject({
    expiration_date: '2026-12-31T00:00:00.000Z',
    redemption: { quantity: 2, redeemed_quantity: 0 },
    updated_at: '2026-03-03T10:00:00.000Z',
  });
});

test('stored deletions of a campaign are read as they were meant', () => {
  const deleted = campaigns.folded('CampaignCreated', 'CampaignDeleted');
  expect(deleted).toMatchObject({ revision: 1, deleted_at: '2026-03-03T10:00:00.000Z' });
  expect(campaigns.folded('CampaignCreated', 'CampaignDeleted', 'CampaignPurged')).toEqual({
    ...deleted,
    permanently: true,
  });
});

test('stored failures of a campaign are read as they were meant', () => {
  const state = campaigns.folded('CampaignCreated', 'VoucherGenerationFailed');
  expect(state).toMatchObject({
    campaign: { creation_status: 'DONE', vouchers_generation_status: 'FAILED', vouchers_count_invalid: 4 },
    ended: { async_action_id: 'aa_c2', error: 'No free codes are left.' },
  });
});

test('stored voucher events are read as they were meant', () => {
  const taken = vouchers.folded('VoucherCreated', 'VoucherQuantityConsumed');
  expect(taken).toMatchObject({
    code_key: 'hand',
    voucher: { code: 'HAND', redemption: { quantity: 5, redeemed_quantity: 1 } },
  });
  const restored = vouchers.folded('VoucherCreated', 'VoucherQuantityConsumed', 'VoucherQuantityRestored');
  expect(restored?.voucher.redemption).toEqual({ quantity: 5, redeemed_quantity: 0 });
  const deleted = vouchers.folded('VoucherCreated', 'VoucherDeleted');
  expect(deleted).toMatchObject({ code_key: 'hand', deleted_at: '2026-03-03T10:00:00.000Z' });
  const purged = vouchers.folded('VoucherCreated', 'VoucherDeleted', 'VoucherPurged');
  expect(purged).toMatchObject({ code_key: null, deleted_at: '2026-03-03T10:00:00.000Z' });
});

test('stored imports are read as they were meant', () => {
  expect(campaigns.folded('CampaignCreated', 'VouchersImported')).toMatchObject({
    generated: 2,
    imports: { aa_c3: 2 },
  });
  expect(vouchers.folded('VoucherCreated', 'VoucherImported')?.voucher).toMatchObject({
    active: false,
    redemption: { quantity: 5, redeemed_quantity: 2 },
  });
});

test('stored movements of credits are read as they were meant', () => {
  const balanceAfter = (...types: Parameters<typeof vouchers.folded>) =>
    vouchers.folded('VoucherCreated', 'GiftCreditsAdjusted', ...types)?.voucher.gift?.balance;
  expect(balanceAfter()).toBe(9_500);
  expect(balanceAfter('GiftCreditsRedeemed')).toBe(6_500);
  expect(balanceAfter('GiftCreditsRedeemed', 'GiftCreditsRefunded')).toBe(9_500);
});

test('stored changes of a voucher are read as they were meant', () => {
  const updated = vouchers.folded('VoucherCreated', 'VoucherUpdated');
  expect(updated).toMatchObject({
    code_key: 'hand',
    voucher: { metadata: { season: 'summer' }, updated_at: '2026-03-04T10:00:00.000Z' },
  });
  expect(vouchers.folded('VoucherCreated', 'VoucherFieldsChanged')?.voucher).toMatchObject({
    code: 'HAND',
    metadata: { season: 'autumn' },
    updated_at: '2026-03-05T10:00:00.000Z',
  });
  expect(vouchers.folded('VoucherCreated', 'VoucherDisabled')?.voucher.active).toBe(false);
  expect(vouchers.folded('VoucherCreated', 'VoucherDisabled', 'VoucherEnabled')?.voucher.active).toBe(true);
});

test('a stored publication of a voucher is read as it was meant', () => {
  expect(vouchers.folded('VoucherCreated', 'VoucherPublished')?.voucher).toMatchObject({
    holder_id: 'cust_1',
    referrer_id: null,
    publish: { count: 1 },
    start_date: '2026-03-01T12:00:00.000Z',
    expiration_date: '2026-03-11T12:00:00.000Z',
    updated_at: '2026-03-01T12:00:00.000Z',
  });
});

test('stored referrals are read as they were meant', () => {
  expect(referrals.folded('CustomerReferred')?.referral).toMatchObject({
    referee_id: 'cust_2',
    referrer_id: 'cust_1',
  });
  expect(referrals.folded('CustomerReferred', 'ReferralRevoked')?.referral).toBeNull();
});

test('stored publications are read as they were meant', () => {
  const succeeded = publications.folded('PublicationSucceeded', 'HolderAssigned')?.publication;
  expect(succeeded).toMatchObject({
    id: 'pub_1',
    result: 'SUCCESS',
    customer_id: 'cust_1',
    source_id: 'order-17',
  });
  const failed = publications.folded('PublicationFailed')?.publication;
  expect(failed).toMatchObject({ result: 'FAILURE', failure_code: 'no_voucher_suitable_for_publication' });
});

test('uses change `updated_at`, those of a release that recorded no instant do not', () => {
  const after = (...stored: { type: string; schema_version: number; data: object }[]) =>
    stored.reduce<VoucherState | undefined>(
      (state, { type, schema_version, data }) =>
        evolveVoucher(state, {
          type,
          data: upcast(voucherAggregate.upcasters, type, schema_version, { ...data }),
        } as unknown as VoucherEvent),
      vouchers.folded('VoucherCreated'),
    )?.voucher.updated_at;
  expect(after(consumedV1, restoredV1)).toBe(vouchers.folded('VoucherCreated')!.voucher.updated_at);
  expect(after(consumedV2)).toBe('2026-03-01T10:00:00.000Z');
  expect(after(consumedV2, restoredV2)).toBe('2026-03-02T10:00:00.000Z');
});

test('stored events of templates are read as they were meant', () => {
  expect(templates.folded('CampaignTemplateCreated', 'CampaignTemplateUpdated')).toMatchObject({
    template: {
      id: 'camp_tpl_1',
      name: 'Spring coupons',
      description: 'Each spring',
      content: { voucher: { discount: { type: 'PERCENT', percent_off: 10 } }, validity_day_of_week: [1, 2] },
    },
    deleted: false,
  });
  expect(templates.folded('CampaignTemplateCreated', 'CampaignTemplateDeleted')).toMatchObject({
    template: { name: 'Coupons' },
    deleted: true,
  });
});

test('stored task events are read as they were meant', () => {
  const done = tasks.folded('AsyncActionEnqueued', 'AsyncActionStarted', 'AsyncActionCompleted');
  expect(done).toMatchObject({
    async_action: { status: 'DONE', result: { message: 'Generated 2 vouchers.', done_count: 2 } },
    work: { kind: 'CAMPAIGN.VOUCHERS_GENERATE', campaign_id: 'camp_1', count: 2 },
    started_at: '2026-03-01T10:00:00.000Z',
  });
  const failed = tasks.folded('AsyncActionEnqueued', 'AsyncActionFailed');
  expect(failed?.async_action).toMatchObject({ status: 'FAILED', operation_status: 'FAILED' });
});
