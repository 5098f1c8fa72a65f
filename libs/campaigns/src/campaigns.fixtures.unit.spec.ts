import type { CampaignEvent, TaskEvent, VoucherEvent } from '@scrip/contracts';
import { type AggregateDefinition, type EventData, newestSchemaVersion, upcast } from '@scrip/event-store';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { campaignAggregate } from './campaign/campaign.aggregate';
import { taskAggregate } from './tasks/task.aggregate';
import { voucherAggregate } from './voucher/voucher.aggregate';

// The files were written by released code and never change. A new schema version of an event adds a file.
interface Stored {
  type: string;
  schema_version: number;
  data: Record<string, unknown>;
}

const storedIn = (feature: string): Stored[] => {
  const folder = join(__dirname, feature, 'fixtures');
  return readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Stored);
};

/** Folds the events of these types, in this order, as they were stored. */
const folded = <State, Event extends EventData>(
  feature: string,
  { evolve, upcasters }: AggregateDefinition<State, Event>,
  ...types: Event['type'][]
): State | undefined =>
  types.reduce<State | undefined>((state, type) => {
    const { schema_version, data } = storedIn(feature).find((stored) => stored.type === type)!;
    return evolve(state, { type, data: upcast(upcasters, type, schema_version, data) } as Event);
  }, undefined);

test.each([
  [
    'campaign',
    campaignAggregate.upcasters,
    [
      'CampaignCreated',
      'VoucherGenerationStarted',
      'VouchersGenerated',
      'VoucherGenerationCompleted',
      'VoucherGenerationFailed',
      'CampaignVouchersAdded',
    ] satisfies CampaignEvent['type'][],
  ],
  [
    'voucher',
    voucherAggregate.upcasters,
    ['VoucherCreated', 'VoucherQuantityConsumed', 'VoucherQuantityRestored'] satisfies VoucherEvent['type'][],
  ],
  [
    'tasks',
    taskAggregate.upcasters,
    [
      'AsyncActionEnqueued',
      'AsyncActionStarted',
      'AsyncActionCompleted',
      'AsyncActionFailed',
    ] satisfies TaskEvent['type'][],
  ],
])('%s: there is a stored event of each newest version', (feature, upcasters, types) => {
  for (const type of types) {
    const schema_version = newestSchemaVersion(upcasters, type);
    expect(storedIn(feature)).toContainEqual(expect.objectContaining({ type, schema_version }));
  }
});

test('stored campaign events are read as they were meant', () => {
  const state = folded(
    'campaign',
    campaignAggregate,
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
  const state = folded('campaign', campaignAggregate, 'CampaignCreated', 'VoucherGenerationFailed');
  expect(state).toMatchObject({
    campaign: { creation_status: 'DONE', vouchers_generation_status: 'FAILED', vouchers_count_invalid: 4 },
    ended: { async_action_id: 'aa_c2', error: 'No free codes are left.' },
  });
});

test('stored voucher events are read as they were meant', () => {
  const taken = folded('voucher', voucherAggregate, 'VoucherCreated', 'VoucherQuantityConsumed');
  expect(taken).toMatchObject({
    code_key: 'hand',
    voucher: { code: 'HAND', redemption: { quantity: 5, redeemed_quantity: 1 } },
  });
  const restored = folded(
    'voucher',
    voucherAggregate,
    'VoucherCreated',
    'VoucherQuantityConsumed',
    'VoucherQuantityRestored',
  );
  expect(restored?.voucher.redemption).toEqual({ quantity: 5, redeemed_quantity: 0 });
});

test('stored task events are read as they were meant', () => {
  const done = folded(
    'tasks',
    taskAggregate,
    'AsyncActionEnqueued',
    'AsyncActionStarted',
    'AsyncActionCompleted',
  );
  expect(done).toMatchObject({
    async_action: { status: 'DONE', result: { message: 'Generated 2 vouchers.', done_count: 2 } },
    work: { campaign_id: 'camp_1', count: 2 },
    started_at: '2026-03-01T10:00:00.000Z',
  });
  const failed = folded('tasks', taskAggregate, 'AsyncActionEnqueued', 'AsyncActionFailed');
  expect(failed?.async_action).toMatchObject({ status: 'FAILED', operation_status: 'FAILED' });
});
