import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import { endpointAggregate } from './endpoint.aggregate';

const frozen = new FrozenEvents(join(__dirname, 'fixtures'), endpointAggregate);

test('events of each version of each type are frozen', () => {
  expect(frozen.problems(['WebhookCreated', 'WebhookUpdated', 'WebhookDisabled', 'WebhookDeleted'])).toEqual(
    [],
  );
});

test('stored events of an endpoint are read as they were meant', () => {
  expect(frozen.folded('WebhookCreated', 'WebhookUpdated')).toMatchObject({
    webhook: { id: 'wh_1', target_url: 'https://shop.example.com/hooks', active: true },
    subscriptions: {
      'redemption.succeeded': '2026-03-31T10:00:00.000Z',
      'redemption.failed': '2026-03-31T10:00:01.000Z',
    },
    deleted: false,
  });
  const disabled = frozen.folded('WebhookCreated', 'WebhookDisabled');
  expect(disabled).toMatchObject({ webhook: { active: false }, subscriptions: {}, deleted: false });
  expect(frozen.folded('WebhookCreated', 'WebhookDeleted')).toMatchObject({
    subscriptions: {},
    deleted: true,
  });
});
