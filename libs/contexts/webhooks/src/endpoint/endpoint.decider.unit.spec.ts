import type { EndpointEvent, WebhookSnapshot } from '@scrip/contracts/webhooks';
import { givenFor } from '@scrip/testing';
import {
  type EndpointCommand,
  type EndpointState,
  decideEndpoint,
  endpointsMax,
  evolveEndpoint,
} from './endpoint.decider';

const given = givenFor<EndpointCommand, EndpointState | undefined, EndpointEvent>({
  decide: decideEndpoint,
  evolve: evolveEndpoint,
  initialState: undefined,
});

const [at, later] = ['2026-03-31T10:00:00.000Z', '2026-04-01T10:00:00.000Z'];
const change = { target_url: 'https://shop.example.com/hooks', events: ['voucher.created'], active: true };
const webhook: WebhookSnapshot = { id: 'wh_1', ...change, created_at: at };
const created: EndpointEvent = { type: 'WebhookCreated', data: { webhook } };
const deleted: EndpointEvent = { type: 'WebhookDeleted', data: { webhook_id: 'wh_1' } };

const create = (live = 0): EndpointCommand => ({
  type: 'CreateEndpoint',
  id: 'wh_1',
  ...change,
  now: at,
  live,
});
const update = (more: object): EndpointCommand => ({
  type: 'UpdateEndpoint',
  id: 'wh_1',
  ...change,
  storesHeaders: false,
  sendsHeaders: false,
  now: later,
  ...more,
});
const disable: EndpointCommand = { type: 'DisableEndpoint', cause: 'gone' };

describe('an endpoint (reference 06 §6.1)', () => {
  it('is created once, while the project has fewer than it may have', () => {
    given().when(create()).then(created);
    given(created).when(create()).then();
    given()
      .when(create(endpointsMax - 1))
      .then(created);
    given().when(create(endpointsMax)).thenRefused('invalid_payload');
  });

  it('keeps the instant of a subscription that an update names again', () => {
    const events = ['voucher.created', 'voucher.updated'];
    given(created)
      .when(update({ events }))
      .thenState({
        webhook: { ...webhook, events },
        subscriptions: { 'voucher.created': at, 'voucher.updated': later },
        deleted: false,
      });
  });

  it('tells no update that changes nothing', () => {
    given(created).when(update({})).then();
  });

  it('gives stored headers to another origin only when they are sent again', () => {
    const elsewhere = { target_url: 'https://other.example.com/hooks', storesHeaders: true };
    given(created).when(update(elsewhere)).thenRefused('invalid_payload');
    given(created)
      .when(update({ ...elsewhere, sendsHeaders: true }))
      .thenState({
        webhook: { ...webhook, target_url: elsewhere.target_url },
        subscriptions: { 'voucher.created': at },
        deleted: false,
      });
  });

  it('is gone once it is deleted', () => {
    given(created).when({ type: 'DeleteEndpoint', id: 'wh_1' }).then(deleted);
    given(created, deleted).when({ type: 'DeleteEndpoint', id: 'wh_1' }).thenRefused('not_found');
    given(created, deleted).when(update({})).thenRefused('not_found');
    given(created, deleted).when(disable).then();
  });

  it('is disabled once', () => {
    const disabled: EndpointEvent = {
      type: 'WebhookDisabled',
      data: { webhook_id: 'wh_1', cause: 'gone' },
    };
    given(created).when(disable).then(disabled);
    given(created, disabled).when(disable).then();
  });
});
