import { refuse } from '@scrip/kernel/pure';
import { evaluateRequest } from '../evaluation/evaluate-request';
import { candidate, customer, requestOf, rule } from '../preview.fixture';
import { refusalAnswer } from './refusal-answer';

const wording = { code: 400, message: 'customer does not match validation rules', requestId: 'v-1' };

describe('the text of a violated rule', () => {
  const vips = (error: object = {}, fallback: object = {}) =>
    rule({ 1: { name: 'customer.segment', conditions: { $is: ['seg_vip'] }, ...error } }, { ...fallback });
  const answerFor = (rules: ReturnType<typeof vips>, messages: Record<string, string> = {}) => {
    const [outcome] = evaluateRequest(
      requestOf([candidate('A', { rules: [rules] })], { customer, messages }),
    ).redeemables;
    if (outcome?.status !== 'INAPPLICABLE') throw new Error(outcome?.status);
    return refusalAnswer(outcome.refusal, wording);
  };
  const own = { error: { message: 'VIPs only' } };
  const project = { customer_rules_violated: 'Not for you' };

  it.each([
    ['of the rule', vips(own, { error: { message: 'No' } }), project, 'VIPs only'],
    ['of its object', vips({}, { error: { message: 'No' } }), project, 'No'],
    ['of the project', vips(), project, 'Not for you'],
  ])('%s stands in error.error.message and details.message', (_, rules, messages, text) => {
    expect(answerFor(rules, messages)).toEqual({
      error: {
        code: 400,
        key: 'customer_rules_violated',
        message: 'customer does not match validation rules',
        details: 'Discount Coupon cannot be redeemed because of violated validation rules: val_1',
        request_id: 'v-1',
        error: { message: text },
      },
      details: { message: text, key: 'customer_rules_violated' },
    });
  });

  it('is absent where none is configured, and details have the generic one', () => {
    const { error, details } = answerFor(vips());
    expect(error).not.toHaveProperty('error');
    expect(details.message).toBe('customer does not match validation rules');
  });
});

it('a refusal names its resource and the uses of a voucher', () => {
  const refusal = refuse('quantity_exceeded', 'CODE', {
    redemption: { quantity: 1, redeemed_quantity: 1 },
    resourceId: 'v_1',
    resourceType: 'voucher',
    internal: 'never shown',
  });
  expect(refusalAnswer(refusal, { ...wording, message: 'quantity exceeded' }).error).toEqual({
    code: 400,
    key: 'quantity_exceeded',
    message: 'quantity exceeded',
    details: 'CODE',
    redemption: { quantity: 1, redeemed_quantity: 1 },
    request_id: 'v-1',
    resource_id: 'v_1',
    resource_type: 'voucher',
  });
});
