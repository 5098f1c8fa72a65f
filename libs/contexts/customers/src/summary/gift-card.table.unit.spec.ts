import type { StoredEvent } from '@scrip/event-store';
import { heldGiftCards } from './gift-card.table';

const event = (type: string, data: object, streamId = 'v_1') =>
  ({ projectId: 'proj_1', streamId, type, data }) as StoredEvent;
const published = event('VoucherPublished', { holder_id: 'cust_1', gift_balance: 500 });
const redeemed = event('GiftCreditsRedeemed', { transaction: { balance: 200 } });
const refunded = event('GiftCreditsRefunded', { balance: 450 });
const adjusted = event('GiftCreditsAdjusted', { transaction: { balance: 900 } });
const deleted = event('VoucherDeleted', { voucher: { gift: { balance: 900 } } });

describe('events of vouchers leave of a gift card', () => {
  it.each<[string, StoredEvent[], object[]]>([
    ['its holder and its credits', [published], [{ customer_id: 'cust_1', balance: 500, gone: false }]],
    ['the newest credits', [published, redeemed], [{ customer_id: 'cust_1', balance: 200 }]],
    ['credits that came back', [redeemed, refunded], [{ customer_id: null, balance: 450 }]],
    ['credits that were added', [adjusted], [{ customer_id: null, balance: 900 }]],
    ['nothing where it was deleted', [published, deleted], [{ gone: true }]],
    ['nothing of a discount code', [event('VoucherPublished', { holder_id: 'cust_1' })], []],
    ['nothing of a deleted discount code', [event('VoucherDeleted', { voucher: { gift: null } })], []],
    ['nothing of a use', [event('VoucherQuantityConsumed', { redeemed_quantity: 1 })], []],
  ])('%s', (_, events, left) => {
    expect(heldGiftCards(events)).toMatchObject(left);
    expect(heldGiftCards(events)).toHaveLength(left.length);
  });

  it('each card once', () => {
    const other = event('GiftCreditsRefunded', { balance: 1 }, 'v_2');
    expect(heldGiftCards([published, other, redeemed])).toMatchObject([
      { voucher_id: 'v_1', balance: 200 },
      { voucher_id: 'v_2', balance: 1 },
    ]);
  });
});
