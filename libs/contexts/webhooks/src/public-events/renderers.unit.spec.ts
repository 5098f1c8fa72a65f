import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { customersNamedIn, erasedIn } from '@scrip/contracts/customers';
import type { StoredEvent } from '@scrip/event-store';
import { customerOf } from '../fixtures/facts';
import { publicEventOf, publicEventsOf } from './public-event';
import type { Relations } from './renderer';
import { isTold, renderedKinds, renderersOf } from './renderers';
import { sentKinds } from './sent-kinds';

interface Golden {
  type: string;
  data: never;
  public: { kind: string; entity_id: string; data: object }[];
}

const folder = join(__dirname, 'fixtures');
const goldens = readdirSync(folder).map((file): [string, Golden] => [
  file,
  JSON.parse(readFileSync(join(folder, file), 'utf8')) as Golden,
]);

const relations: Relations = {
  user: null,
  customer: (id) => (id === null ? null : customerOf(id)),
  trackingId: (identity) => `track_of ${identity}`,
  assets: (code) => ({
    qr: { id: `qr-${code}`, url: `https://api.example.com/v1/assets/qr/qr-${code}` },
    barcode: { id: `bar-${code}`, url: `https://api.example.com/v1/assets/barcode/bar-${code}` },
  }),
};

const storedEvent = ({ type, data }: Golden, fields: Partial<StoredEvent> = {}): StoredEvent => ({
  id: '0190f000-0000-7000-8000-000000000001',
  type,
  schemaVersion: 1,
  service: 'campaigns',
  aggregate: 'campaign',
  projectId: 'proj_1',
  streamId: 'camp_1',
  version: 1,
  position: '1-1-1',
  recordedAt: '2026-03-31T10:00:00.000Z',
  data,
  metadata: {
    correlation_id: 'v-0123456789abcdef01',
    channel: 'API',
    api_key_id: 'eu1-app',
    api_key_name: 'Server',
  },
  ...fields,
});

const told = (golden: Golden) =>
  renderersOf('v2024-01-01', golden.type).flatMap((renderer) => {
    const rendered = renderer.render(golden.data, relations);
    return publicEventsOf(storedEvent(golden), renderer.kind, rendered);
  });

describe('what receivers are told (reference 06 §3)', () => {
  it('is of the kinds that are listed as sent', () => {
    expect(sentKinds.map(({ kind }) => kind).sort()).toEqual([...renderedKinds()].sort());
  });

  it.each(goldens)('%s renders as it always did', (_file, golden) => {
    const rendered = told(golden).map(({ kind, entityId, data }) => ({
      kind,
      entity_id: entityId,
      data: JSON.parse(data) as object,
    }));
    expect(rendered).toEqual(golden.public);
  });

  it('covers every kind that exists by now', () => {
    expect(new Set(goldens.flatMap(([, golden]) => golden.public.map(({ kind }) => kind)))).toEqual(
      new Set([
        'business_validation_rule.created',
        'business_validation_rule.updated',
        'campaign.created',
        'campaign.promotion_tier.created',
        'campaign.promotion_tier.updated',
        'campaign.promotion_tier.enabled',
        'campaign.promotion_tier.disabled',
        'campaign.promotion_tier.deleted',
        'campaign.promotion_stack.created',
        'campaign.promotion_stack.updated',
        'campaign.updated',
        'campaign.deleted',
        'campaign.enabled',
        'campaign.disabled',
        'campaign.vouchers.generation.started',
        'campaign.vouchers.generation.completed',
        'campaign.vouchers.generation.failed',
        'campaign.vouchers.added',
        'publication.succeeded',
        'voucher.published',
        'voucher.created',
        'voucher.gift.balance_added',
        'voucher.gift.transaction.created',
        'voucher.deleted',
        'voucher.updated',
        'voucher.enabled',
        'voucher.disabled',
        'redemption.succeeded',
        'redemption.failed',
        'redemption.rollback.succeeded',
        'redemption.rollback.failed',
        'customer.created',
        'customer.updated',
        'customer.deleted',
      ]),
    );
  });

  it.each([
    'VouchersGenerated',
    'VoucherQuantityConsumed',
    'RedemptionRollbackStarted',
    'OrderPaid',
    'PromotionStackDeleted',
    'toString',
  ])('tells nobody of %s', (type) => {
    expect(isTold(type)).toBe(false);
  });

  it('leaves out absent relations nowhere: they are null', () => {
    const failed = goldens.find(([file]) => file === 'redemption-failed-unknown-code.v1.json')?.[1];
    expect(told(failed as Golden)[0]?.data).toContain(
      '"customer":null,"order":null,"campaign":null,"voucher":null',
    );
  });

  it.each(goldens)('%s says nothing of customers once they are erased', (_file, golden) => {
    for (const { data } of told(golden)) {
      const text = JSON.stringify(customersNamedIn(data).reduce<unknown>(erasedIn, JSON.parse(data)));
      expect(text).not.toMatch(/source-cust_|track_|"Ada"/);
    }
  });

  it('says nothing of a customer who was erased meanwhile', () => {
    const [renderer] = renderersOf('v2024-01-01', 'CustomerCreated');
    expect(
      renderer?.render({ customer_id: 'cust_9' } as never, { ...relations, customer: () => null }),
    ).toBeNull();
  });
});

describe('a public event', () => {
  const golden = goldens.find(([file]) => file === 'campaign-created.v1.json')?.[1] as Golden;
  const event = (fields: Partial<StoredEvent>) =>
    publicEventOf(storedEvent(golden, fields), 'campaign.created', { entityId: 'camp_1', data: {} });

  it('has the same id whenever its fact is told, and another one for another fact', () => {
    expect(event({}).id).toMatch(/^evcam_[0-9a-f]{32}$/);
    expect(event({}).id).toBe(event({ position: '2-1-1' }).id);
    expect(event({}).id).not.toBe(event({ id: '0190f000-0000-7000-8000-000000000002' }).id);
  });

  it('has one id for each of its entities', () => {
    const both = publicEventsOf(storedEvent(golden), 'voucher.published', [
      { entityId: 'v_1', data: {} },
      { entityId: 'v_2', data: {} },
    ]);
    expect(both.map(({ entityId }) => entityId)).toEqual(['v_1', 'v_2']);
    expect(new Set(both.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    [
      { channel: 'API', api_key_id: 'eu1-app', api_key_name: 'Server' },
      { channel: 'API', api_key: { name: 'Server', app_id: 'eu1-app' } },
    ],
    [
      { channel: 'CLIENT_API', api_key_id: 'eu1-web', api_key_name: 'Shop' },
      { channel: 'CLIENT_API', api_key: { name: 'Shop', app_id: 'eu1-web' } },
    ],
    [
      { channel: 'USER_PORTAL', actor_id: 'user_1', api_key_id: 'x' },
      { channel: 'USER_PORTAL', user: { id: 'user_1' } },
    ],
    [{ channel: 'INTERNAL', actor_id: 'user_1' }, { channel: 'INTERNAL' }],
  ])('of %j names its source', (metadata, source) => {
    expect(event({ metadata: { correlation_id: 'v-1', ...metadata } }).source).toEqual(source);
  });
});
