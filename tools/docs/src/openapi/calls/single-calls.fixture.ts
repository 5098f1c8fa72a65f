import { order } from './orders.fixture';
import type { DocumentedCaller } from './documented-caller.fixture';

/** Validates and redeems a voucher and a gift card, each by itself, and gives up a session. */
export const askSingleCalls = async ({ send }: DocumentedCaller): Promise<void> => {
  const vouchers = {
    ALONE: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    'ALONE-CARD': { type: 'GIFT_VOUCHER', gift: { amount: 900 }, start_date: '2026-01-01T00:00:00Z' },
    'ALONE-OFF': { type: 'DISCOUNT_VOUCHER', discount: { type: 'AMOUNT', amount_off: 1 }, active: false },
  };
  for (const [code, body] of Object.entries(vouchers))
    await send('POST', '/v1/vouchers/{code}', { parameters: { code }, body });
  const customer = { source_id: 'ada' };
  const validate = (code: string, body: object) =>
    send('POST', '/v1/vouchers/{code}/validate', { parameters: { code }, body });
  const redeem = (code: string, body: object) =>
    send('POST', '/v1/vouchers/{code}/redemption', {
      ...{ parameters: { code }, body },
      query: '?tracking_id=somebody',
    });
  await validate('ALONE', { order, customer, options: { expand: ['category'] } });
  await validate('ALONE', {});
  await validate('ALONE', { session: { key: 'cart-1', type: 'LOCK' } });
  await send('DELETE', '/v1/vouchers/{code}/sessions/{sessionKey}', {
    parameters: { code: 'ALONE', sessionKey: 'cart-1' },
  });
  await validate('ALONE-OFF', { tracking_id: 'somebody' });
  await validate('ALONE-NONE', {});
  await validate('ALONE-CARD', { order, gift: { credits: 300 } });
  await validate('ALONE-CARD', {});
  await redeem('ALONE-CARD', { order: { amount: 2_000 }, gift: { credits: 300 }, metadata: { till: 3 } });
  await redeem('ALONE', { order, customer });
  await redeem('ALONE', {});
  await redeem('ALONE-NONE', {});
  // From a page that the project does not trust.
  await send('GET', '/client/v1/validate', { query: '?code=ALONE&amount=2000&customer=ada&session_ttl=1' });
  await send('POST', '/client/v1/redeem', { body: { order, customer }, query: '?code=ALONE' });
};
