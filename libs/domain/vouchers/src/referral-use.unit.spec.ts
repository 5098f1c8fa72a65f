import { referralAllows } from './referral-use';

const code = { code: 'FRIEND', is_referral_code: true, referrer_id: 'cust_ref', publish: { count: 1 } };
const unpublished = { ...code, referrer_id: null, publish: { count: 0 } };

test.each([
  ['another customer uses it', code, 'cust_friend', null],
  ['a customer uses it who is not stored', code, '', null],
  ['its referrer', code, 'cust_ref', { refused: 'referrer_not_permitted_to_redeem', details: 'FRIEND' }],
  ['a call without customer', code, null, { refused: 'missing_customer' }],
  ['a claim that names none', code, undefined, { refused: 'missing_customer' }],
  [
    'any use before it is published',
    unpublished,
    'cust_friend',
    { refused: 'not_published', details: 'FRIEND' },
  ],
  ['that it is unpublished before that nobody is there', unpublished, null, { refused: 'not_published' }],
  ['nothing of another code', { ...code, is_referral_code: false }, 'cust_ref', null],
  ['nothing of another code without customer', { ...unpublished, is_referral_code: false }, null, null],
])('a referral code allows or refuses: %s', (_, voucher, customer, expected) => {
  const refusal = referralAllows(voucher, customer);
  if (expected === null) expect(refusal).toBeNull();
  else expect(refusal).toMatchObject(expected);
});
