import type { EndpointEvent } from '@scrip/contracts';
import { newestSchemaVersion, upcast } from '@scrip/event-store';
import { endpointAggregate } from './endpoint.aggregate';
import type { EndpointState } from './endpoint.decider';
import createdV1 from './fixtures/webhook-created.v1.json';
import deletedV1 from './fixtures/webhook-deleted.v1.json';
import disabledV1 from './fixtures/webhook-disabled.v1.json';
import updatedV1 from './fixtures/webhook-updated.v1.json';

// Written by released code; never to be changed. A new schema version adds a file.
const stored = [createdV1, updatedV1, disabledV1, deletedV1];

const { evolve, upcasters } = endpointAggregate;

/** Folds the stored events of these types, in this order. */
const folded = (...types: EndpointEvent['type'][]): EndpointState | undefined =>
  types.reduce<EndpointState | undefined>((state, type) => {
    const { schema_version, data } = stored.find((event) => event.type === type)!;
    return evolve(state, { type, data: upcast(upcasters, type, schema_version, data) } as EndpointEvent);
  }, undefined);

test('there is a fixture of each newest version', () => {
  const types: EndpointEvent['type'][] = [
    'WebhookCreated',
    'WebhookUpdated',
    'WebhookDisabled',
    'WebhookDeleted',
  ];
  for (const type of types) {
    const schema_version = newestSchemaVersion(upcasters, type);
    expect(stored).toContainEqual(expect.objectContaining({ type, schema_version }));
  }
});

test('stored events of an endpoint are read as they were meant', () => {
  expect(folded('WebhookCreated', 'WebhookUpdated')).toMatchObject({
    webhook: { id: 'wh_1', target_url: 'https://shop.example.com/hooks', active: true },
    subscriptions: {
      'redemption.succeeded': '2026-03-31T10:00:00.000Z',
      'redemption.failed': '2026-03-31T10:00:01.000Z',
    },
    deleted: false,
  });
  const disabled = folded('WebhookCreated', 'WebhookDisabled');
  expect(disabled).toMatchObject({ webhook: { active: false }, subscriptions: {}, deleted: false });
  expect(folded('WebhookCreated', 'WebhookDeleted')).toMatchObject({ subscriptions: {}, deleted: true });
});
