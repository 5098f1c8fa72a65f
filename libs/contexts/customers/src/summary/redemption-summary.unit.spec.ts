import type { RedemptionEvent } from '@scrip/contracts/qualification';
import { countsOf } from './redemption-summary';

const gift = { voucher: { type: 'GIFT_VOUCHER' } };
const card = { voucher: { type: 'LOYALTY_CARD' } };
const discount = { voucher: { type: 'DISCOUNT_VOUCHER' } };

const event = (type: string, data: object): RedemptionEvent =>
  ({ type, data: { redemption: { customer_id: 'cust_1', voucher: null }, ...data } }) as RedemptionEvent;
const of = (redemption: object) => ({ redemption: { customer_id: 'cust_1', voucher: null, ...redemption } });

describe('a redemption adds to the summary of its customer', () => {
  it.each<[string, RedemptionEvent, object | null]>([
    ['a success', event('RedemptionSucceeded', of(discount)), { succeeded: 1 }],
    [
      'credits that were spent',
      event('RedemptionSucceeded', of({ ...gift, amount: 500 })),
      { succeeded: 1, gift_amount: 500 },
    ],
    [
      'points that were spent',
      event('RedemptionSucceeded', of({ ...card, amount: 7 })),
      { succeeded: 1, points: 7 },
    ],
    ['a failure', event('RedemptionFailed', of({ ...gift, amount: 500 })), { failed: 1 }],
    [
      'a rollback, which gives credits back',
      event('RedemptionRolledBack', { ...of(gift), rollback: { ...gift, amount: -500 } }),
      { rollback_succeeded: 1, gift_amount: -500 },
    ],
    ['a refused rollback', event('RedemptionRollbackFailed', of(discount)), { rollback_failed: 1 }],
    [
      'nothing for a stack, whose children count',
      event('RedemptionSucceeded', of({ stacked: ['r_1'] })),
      null,
    ],
    [
      'nothing for the rollback of a stack',
      event('RedemptionRolledBack', { ...of({ stacked: ['r_1'] }), rollback: { voucher: null } }),
      null,
    ],
    ['nothing for a rollback that begins', event('RedemptionRollbackStarted', { rollback: {} }), null],
    ['nothing without a customer', event('RedemptionSucceeded', of({ customer_id: null })), null],
  ])('%s', (_, told, added) => {
    const none = {
      failed: 0,
      succeeded: 0,
      rollback_failed: 0,
      rollback_succeeded: 0,
      gift_amount: 0,
      points: 0,
    };
    expect(countsOf(told)).toEqual(added && { ...none, customer_id: 'cust_1', ...added });
  });
});
