import { Logger } from '@nestjs/common';
import { newId } from '@scrip/kernel';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, percent, redeemable } from '../redeemables.fixture';
import { ValidateHandlers } from './validate.handlers';
import { ValidationLog } from './validation-log';
import { ValidationSums } from './validation-sums.reads';

let fixture: QualificationFixture;

beforeAll(async () => {
  fixture = await startQualification('validate');
  fixture.campaigns.add(
    redeemable('TEN', {
      discount: percent(10),
      metadata: { tag: 'x' },
      campaign: 'Spring',
      campaign_id: 'camp_1',
    }),
    redeemable('FIVE', { discount: amount(500) }),
    redeemable('OFF', { active: false }),
  );
});

afterAll(() => fixture.stop());

const validate = (request: Parameters<ValidateHandlers['validate']>[1]) =>
  fixture.get(ValidateHandlers).validate(call(), request);

const vouchers = (...codes: string[]) => codes.map((id) => ({ object: 'voucher' as const, id }));
const emptyList = { data: [], total: 0, data_ref: 'data', object: 'list' };

describe('a valid request, reference 03 §5.1', () => {
  it('shows each step, the whole order and the settings', async () => {
    const answer = await validate({
      redeemables: vouchers('TEN', 'FIVE'),
      order: { items: [{ product_id: 'prod_1', price: 5000, quantity: 2 }], metadata: { a: 1 } },
      customer: { source_id: 'alice' },
    });
    expect(answer).toEqual({
      id: expect.stringMatching(/^valid_/),
      valid: true,
      redeemables: [
        {
          status: 'APPLICABLE',
          id: 'TEN',
          object: 'voucher',
          order: expect.objectContaining({
            amount: 10000,
            applied_discount_amount: 1000,
            total_amount: 9000,
          }),
          applicable_to: emptyList,
          inapplicable_to: emptyList,
          result: {
            discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER', is_dynamic: false },
          },
        },
        expect.objectContaining({
          id: 'FIVE',
          order: expect.objectContaining({ applied_discount_amount: 500, discount_amount: 1500 }),
        }),
      ],
      order: expect.objectContaining({
        object: 'order',
        metadata: { a: 1 },
        customer_id: null,
        total_discount_amount: 1500,
        total_amount: 8500,
        items: [
          expect.objectContaining({
            product_id: 'prod_1',
            quantity: 2,
            amount: 10000,
            subtotal_amount: 10000,
          }),
        ],
      }),
      tracking_id: expect.stringMatching(/^track_[\w-]+$/),
      stacking_rules: expect.objectContaining({
        redeemables_limit: 30,
        applicable_redeemables_limit: 5,
        applicable_redeemables_per_category_limit: 5,
        redeemables_application_mode: 'ALL',
        redeemables_rollback_order_mode: 'WITH_ORDER',
      }),
    });
    expect(answer).not.toHaveProperty('order.id');
    expect(answer).not.toHaveProperty('order.status');
    expect(answer).not.toHaveProperty('stacking_rules.discount_calculation_mode');
    expect(fixture.customers.customers.size).toBe(0); // a validation writes no customer
  });

  it('expands what is asked for', async () => {
    const answer = await validate({
      redeemables: vouchers('TEN'),
      order: { amount: 1000 },
      options: { expand: ['redeemable', 'category'] },
    });
    expect(answer).toMatchObject({
      redeemables: [
        { metadata: { tag: 'x' }, campaign_name: 'Spring', campaign_id: 'camp_1', categories: [] },
      ],
      order: { total_amount: 900 },
    });
    expect(answer).not.toHaveProperty('redeemables.0.order');
  });

  it('gives one tracking id per identity, sent raw or encoded', async () => {
    const of = async (request: object) =>
      ((await validate({ redeemables: vouchers('TEN'), ...request })) as { tracking_id: string }).tracking_id;
    const bySourceId = await of({ customer: { source_id: 'alice' } });
    expect(await of({ tracking_id: 'alice' })).toBe(bySourceId);
    expect(await of({ tracking_id: bySourceId })).toBe(bySourceId);
    expect(await of({ customer: { source_id: bySourceId } })).toBe(bySourceId);
    expect(await of({ customer: { source_id: 'bob' } })).not.toBe(bySourceId);
    expect(await of({})).not.toBe(await of({}));
  });
});

it('shows all redeemables and no order when it is invalid, reference 03 §5.2', async () => {
  const answer = await validate({ redeemables: vouchers('TEN', 'OFF', 'FIVE'), order: { amount: 1000 } });
  const off = {
    status: 'INAPPLICABLE',
    id: 'OFF',
    object: 'voucher',
    result: {
      error: {
        code: 400,
        key: 'voucher_disabled',
        message: 'voucher is disabled',
        details: 'OFF',
        request_id: 'v-000000000000000001',
      },
      details: { message: 'voucher is disabled', key: 'voucher_disabled' },
    },
  };
  const five = {
    status: 'SKIPPED',
    id: 'FIVE',
    object: 'voucher',
    result: {
      details: {
        key: 'preceding_validation_failed',
        message: 'Redeemable cannot be applied due to preceding validation failure',
      },
    },
  };
  expect(answer).toMatchObject({
    valid: false,
    redeemables: [{ status: 'APPLICABLE', id: 'TEN' }, off, five],
    inapplicable_redeemables: [off],
    skipped_redeemables: [five],
  });
  expect(answer).not.toHaveProperty('order');
});

it('refuses a voucher named by its code and by its id', async () => {
  expect(await validate({ redeemables: vouchers('TEN', 'v_ten') })).toMatchObject({
    refused: 'duplicated_redeemables',
  });
});

it('is kept for inspection, without personal data', async () => {
  const { id } = (await validate({
    redeemables: vouchers('OFF'),
    customer: { source_id: 'alice', name: 'Alice' },
  })) as { id: string };
  await fixture.get(ValidationLog).written();
  const [row] = await fixture.dataSource.query<object[]>('SELECT * FROM validations WHERE id = $1', [id]);
  expect(row).toMatchObject({
    valid: false,
    customer_id: null,
    redeemables: [{ id: 'OFF', status: 'INAPPLICABLE', key: 'voucher_disabled' }],
  });
  expect(JSON.stringify(row)).not.toMatch(/alice/i);
});

it('keeps little of what no voucher can be called', async () => {
  const long = 'x'.repeat(60_000);
  const { id } = (await validate({ redeemables: vouchers(long) })) as { id: string };
  await fixture.get(ValidationLog).written();
  const [row] = await fixture.dataSource.query<{ redeemables: { id: string }[] }[]>(
    'SELECT redeemables FROM validations WHERE id = $1',
    [id],
  );
  expect(row!.redeemables).toMatchObject([{ id: long.slice(0, 512), key: 'not_found' }]);
});

it('counts for the campaigns of its redeemables, on the day of its project, whether it is kept', async () => {
  const log = fixture.get(ValidationLog);
  const record = (created_at: string, ...redeemables: [string | null, string][]) =>
    log.add({
      project_id: call().project.id,
      id: newId('valid_'),
      created_at,
      request_id: 'v-1',
      valid: true,
      customer_id: null,
      redeemables: redeemables.map(([campaign_id, status]) => ({
        object: 'voucher',
        id: 'ANY',
        campaign_id,
        status,
      })),
      totals: null,
    });
  record('2026-03-28T22:59:59.999Z', ['camp_s', 'APPLICABLE']);
  record(
    '2026-03-28T23:00:00.000Z',
    ['camp_s', 'APPLICABLE'],
    ['camp_s', 'INAPPLICABLE'],
    [null, 'APPLICABLE'],
  );
  record(
    '2026-03-29T21:59:59.999Z',
    ['camp_s', 'SKIPPED'],
    ['camp_s', 'INAPPLICABLE'],
    ['camp_t', 'APPLICABLE'],
  );
  await log.written();
  const sums = (start_date: string | null, end_date: string | null) =>
    fixture.get(ValidationSums).of(call(), { campaign_id: 'camp_s', start_date, end_date });
  expect(await sums('2026-03-29', '2026-03-29')).toEqual({ succeeded: 1, failed: 2 });
  expect(await sums(null, '2026-03-28')).toEqual({ succeeded: 1, failed: 0 });
  expect(await sums(null, null)).toEqual({ succeeded: 2, failed: 2 });
  expect(await sums('2026-03-30', null)).toEqual({ succeeded: 0, failed: 0 });
});

it('drops partitions of more than 30 days, and makes those to come', async () => {
  const log = fixture.get(ValidationLog);
  await log.maintain(new Date('2026-02-01T00:00:00.000Z'));
  await log.maintain(new Date('2026-03-03T12:00:00.000Z'));
  const partitions = await fixture.dataSource.query<{ name: string }[]>(
    `SELECT c.relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
     WHERE inhparent = 'validations'::regclass AND c.relname LIKE 'validations_2026_0%' ORDER BY 1`,
  );
  const names = partitions.map(({ name }) => name);
  expect(names).not.toContain('validations_2026_01_31');
  expect(names).toEqual(
    expect.arrayContaining(['validations_2026_02_01', 'validations_2026_03_03', 'validations_2026_03_05']),
  );
  await log.maintain(new Date('2026-03-04T12:00:00.000Z'));
  const left = await fixture.dataSource.query<object[]>(
    `SELECT 1 FROM pg_class WHERE relname = 'validations_2026_02_01'`,
  );
  expect(left).toEqual([]);
});

it('starts without new partitions where they cannot be made', async () => {
  const log = fixture.get(ValidationLog);
  await log.onApplicationShutdown();
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  jest.spyOn(log, 'maintain').mockRejectedValueOnce(new Error('lock timeout'));
  await expect(log.onApplicationBootstrap()).resolves.toBeUndefined();
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('lock timeout'));
  jest.restoreAllMocks();
});

it('looks after its partitions in several processes at once', async () => {
  const log = fixture.get(ValidationLog);
  const atOnce = (day: string) =>
    Promise.all(Array.from({ length: 4 }, () => log.maintain(new Date(`${day}T12:00:00.000Z`))));
  await expect(atOnce('2026-04-01').then(() => atOnce('2026-06-01'))).resolves.toHaveLength(4);
});

describe('items that name records, reference 07 §5', () => {
  const amountOf = async (items: object[]): Promise<number | undefined> => {
    const answer = await validate({ redeemables: vouchers('FIVE'), order: { items } });
    return (answer as { order?: { amount?: number } }).order?.amount;
  };

  it('cost one call of the catalogue, and none where they name nothing', async () => {
    fixture.catalog.add({ source_id: 'lamp', price: 4_000 });
    fixture.catalog.calls.length = 0;
    expect(await amountOf([{ price: 700 }, { amount: 50 }])).toBe(750);
    expect(fixture.catalog.calls).toEqual([]);
    const lamp = { product: { source_id: 'lamp' } };
    expect(await amountOf([lamp, { ...lamp, quantity: 2 }])).toBe(12_000);
    expect(fixture.catalog.calls).toEqual(['resolveItems']);
  });
  it('are no larger with their records than an order can be', async () => {
    fixture.catalog.add({ source_id: 'book', price: 1, metadata: { text: 'x'.repeat(60_000) } });
    const books = (count: number) => ({
      redeemables: vouchers('FIVE'),
      order: { items: Array.from({ length: count }, () => ({ product: { source_id: 'book' } })) },
    });
    expect(await validate(books(9))).toMatchObject({ valid: true });
    expect(await validate(books(10))).toMatchObject({
      refused: 'invalid_payload',
      details: 'Property .order cannot be larger than 600000 bytes',
    });
  });
});
