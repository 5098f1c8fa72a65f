import { join } from 'node:path';
import type { VoucherEvent } from '@scrip/contracts/campaigns';
import type { AggregateDefinition, EventData } from '@scrip/event-store';
import { upcast } from '@scrip/kernel';
import { FrozenEvents } from '@scrip/testing';
import { campaignAggregate } from './campaign/campaign.aggregate';
import { taskAggregate } from './tasks/task.aggregate';
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
const tasks = frozenIn('tasks', taskAggregate);

test('events of each version of each type are frozen', () => {
  expect(
    campaigns.problems([
      'CampaignCreated',
      'VoucherGenerationStarted',
      'VouchersGenerated',
      'VoucherGenerationCompleted',
      'VoucherGenerationFailed',
      'CampaignVouchersAdded',
    ]),
  ).toEqual([]);
  expect(vouchers.problems(['VoucherCreated', 'VoucherQuantityConsumed', 'VoucherQuantityRestored'])).toEqual(
    [],
  );
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
