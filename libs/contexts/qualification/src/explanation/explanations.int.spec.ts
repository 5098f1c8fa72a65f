import { isRefused, newId, type Refusal } from '@scrip/kernel';
import { AssignmentHandlers } from '../assignment/assignment.handlers';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { amount, call, percent, project, redeemable } from '../redeemables.fixture';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import { RuleHandlers } from '../rule/rule.handlers';
import { ValidateHandlers } from '../validation/validate.handlers';
import { ExplainHandlers } from './explain.handlers';
import { parseExplanationRequest } from './explanation-request';

type Json = Record<string, any>;

let fixture: QualificationFixture;
let ruleId: string;

const expectDone = <T>(answer: T): Exclude<T, Refusal> => {
  if (isRefused(answer)) throw new Error(answer.details);
  return answer as Exclude<T, Refusal>;
};

beforeAll(async () => {
  fixture = await startQualification('explanations');
  fixture.campaigns.add(
    redeemable('TEN', { discount: percent(10) }),
    redeemable('LARGE', { discount: amount(1_000) }),
    redeemable('SUMMER', { start_date: '2026-07-01T00:00:00.000Z' }),
  );
  const rules = {
    1: { name: 'order.amount', conditions: { $more_than: [10_000] } },
    2: { name: 'customer.metadata', property: 'secret', conditions: { $is: ['ada@example.com'] } },
    logic: '1 and 2',
  };
  const { rule } = expectDone(
    await fixture.get(RuleHandlers).create(call(), newId('val_'), { name: 'Large', rules }),
  );
  ruleId = rule.id;
  const assignment = { id: newId('asgm_'), rule_id: ruleId, related_object_id: 'v_large', campaign_id: null };
  expectDone(
    await fixture.get(AssignmentHandlers).assign(call(), { ...assignment, related_object_type: 'voucher' }),
  );
});

afterAll(() => fixture?.stop());

const explain = async (body: Json): Promise<Json> => {
  const asked = parseExplanationRequest(body);
  if (isRefused(asked)) return asked;
  return (await fixture.get(ExplainHandlers).explain(call(), asked)) as Json;
};

const vouchers = (...codes: string[]) => codes.map((id) => ({ object: 'voucher', id }));
const ada = { source_id: 'ada', metadata: { secret: 'ada@example.com' } };

describe('an explanation of a request', () => {
  it('shows each rule with what it expected and found, and each step', async () => {
    const body = { redeemables: vouchers('TEN', 'LARGE'), order: { amount: 11_000 }, customer: ada };
    const explained = await explain(body);
    expect(explained).toMatchObject({
      object: 'explanation',
      at: '2026-06-15T10:00:00.000Z',
      valid: false,
      redeemables: [
        {
          id: 'TEN',
          status: 'APPLICABLE',
          rules: [],
          steps: [
            { step: 'discount' },
            { step: 'order', discount_amount: 1_100 },
            { step: 'total', before: 11_000, after: 9_900 },
          ],
        },
        {
          id: 'LARGE',
          status: 'INAPPLICABLE',
          because: {
            key: 'order_rules_violated',
            message: 'order does not match validation rules',
            details: `Discount Coupon cannot be redeemed because of violated validation rules: ${ruleId}`,
          },
          rules: [
            { path: '1', operator: '$more_than', expected: [10_000], actual: 9_900, verdict: 'FAILS' },
            { path: '2', property: 'secret', actual: 'ada@example.com', verdict: 'HOLDS' },
          ],
          steps: [],
        },
      ],
    });
    expect(explained).not.toHaveProperty('order');
  });

  it('agrees with the validation of the same request', async () => {
    const body = { redeemables: vouchers('LARGE', 'TEN'), order: { amount: 20_000 }, customer: ada };
    const validated = (await fixture.get(ValidateHandlers).validate(call(), body as never)) as Json;
    const explained = await explain(body);
    expect([explained.valid, explained.order]).toEqual([validated.valid, validated.order]);
    expect(explained.redeemables.map(({ status }: Json) => status)).toEqual(['APPLICABLE', 'APPLICABLE']);
  });

  it('is as of another instant where one is named', async () => {
    const statusAt = async (at?: string) => {
      const { redeemables } = await explain({ redeemables: vouchers('SUMMER'), ...(at ? { at } : {}) });
      return redeemables[0].because?.key ?? redeemables[0].status;
    };
    expect(await statusAt()).toBe('voucher_not_active');
    expect(await statusAt('2026-07-01T00:00:00Z')).toBe('APPLICABLE');
  });

  it('stores nothing', async () => {
    await explain({
      redeemables: vouchers('TEN'),
      customer: { source_id: 'nobody' },
      order: { source_id: 'o-1' },
    });
    expect(fixture.customers.customers.size).toBe(0);
    expect(fixture.campaigns.redeemed('TEN')).toBe(0);
  });
});

describe('an explanation of a failed redemption', () => {
  it('is what was kept with it, without personal data', async () => {
    const request = {
      redeemables: vouchers('LARGE'),
      order: { amount: 9_000 },
      customer: { metadata: { secret: 'somebody@example.com' } },
    };
    const failed = (await fixture.get(RedeemHandlers).redeem(call(), request as never, null)) as Json;
    const explained = await explain({ redemption_id: failed.resourceId });
    expect(explained).toEqual({
      object: 'explanation',
      at: '2026-06-15T10:00:00.000Z',
      valid: false,
      redemption: {
        id: failed.resourceId,
        failure_code: 'customer_rules_violated',
        failure_message: 'customer does not match validation rules',
        related_object_type: 'voucher',
        related_object_id: 'v_large',
      },
      because: {
        status: 'INAPPLICABLE',
        key: 'customer_rules_violated',
        rules: [
          {
            rule: ruleId,
            path: '1',
            name: 'order.amount',
            operator: '$more_than',
            expected: [10_000],
            actual: 9_000,
          },
          { rule: ruleId, path: '2', name: 'customer.metadata', operator: '$is' },
        ],
      },
    });
    const stored = await fixture.dataSource.query<{ data: string }[]>(
      `SELECT data::text FROM events WHERE project_id = $1 AND type = 'RedemptionFailed'`,
      [project.id],
    );
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.map(({ data }) => data).join()).not.toContain('example.com');
  });

  it.each([
    ['an unknown one', 'rf_none', 'not_found', 'Cannot find redemption with id rf_none'],
    ['one that did not fail', null, 'invalid_payload', 'did not fail'],
  ])('refuses %s', async (_, named, key, details) => {
    const redeem = async () =>
      expectDone(
        (await fixture
          .get(RedeemHandlers)
          .redeem(call(), { redeemables: vouchers('TEN') } as never, null)) as Json,
      ).redemptions[0].id as string;
    const id = named ?? (await redeem());
    expect(await explain({ redemption_id: id })).toMatchObject({
      refused: key,
      details: expect.stringContaining(details) as string,
    });
  });
});

it.each([
  ['nothing', {}],
  ['a redemption and redeemables', { redemption_id: 'rf_1', redeemables: vouchers('TEN') }],
  ['a redemption and more', { redemption_id: 'rf_1', at: '2026-01-01T00:00:00Z' }],
])('a body with %s is refused', async (_, body) => {
  expect(await explain(body)).toMatchObject({
    refused: 'invalid_payload',
    details: 'Payload must have the property redeemables, or redemption_id and nothing else',
  });
});

it.each([
  ['at', { redeemables: vouchers('TEN'), at: 'tomorrow' }, 'Property .at cannot be recognized'],
  ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map((at): [string, object, string] => [
    `at, ${at}`,
    { redeemables: vouchers('TEN'), at },
    'Property .at must be from 0002-01-01 to 9998-12-31',
  ]),
  ['redeemables', { redeemables: [] }, 'Property .redeemables should NOT have fewer than 1 items'],
])('a wrong property is named: %s', async (_, body, details) => {
  expect(await explain(body)).toMatchObject({
    refused: 'invalid_payload',
    details: expect.stringContaining(details) as string,
  });
});
