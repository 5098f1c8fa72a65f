import { parseQueryString } from '@scrip/edge/testing';
import { readBrowserValidation } from './browser-voucher.query';

const read = (text: string) => readBrowserValidation(parseQueryString(text));

const asked = (text: string) => {
  const call = read(text);
  if ('refused' in call) throw new Error(call.details);
  return call;
};

describe('what a browser asks of one voucher by a query (reference 03 §5.3)', () => {
  it('says the code alone', () => {
    expect(asked('code=OFF')).toEqual({
      sent: {},
      request: {
        redeemables: [{ object: 'voucher', id: 'OFF' }],
        options: { expand: ['order', 'redemption'] },
      },
    });
  });

  it('says everything that a query can', () => {
    const { sent, request } = asked(
      [
        'code=OFF&amount=4000&tracking_id=visitor',
        'item[0][product_id]=prod_1&item[0][quantity]=2&item[0][price]=2000',
        'item[1][source_id]=cup&item[1][related_object]=sku',
        'customer[source_id]=ada&customer[metadata][vip]=yes',
        'metadata[till]=3&order[metadata][gift]=no',
        'session_type=LOCK&session_key=cart-1&session_ttl=2&session_ttl_unit=HOURS',
      ].join('&'),
    );
    const said = {
      customer: { source_id: 'ada', metadata: { vip: 'yes' } },
      order: {
        amount: 4000,
        items: [
          { product_id: 'prod_1', quantity: 2, price: 2000 },
          { source_id: 'cup', related_object: 'sku' },
        ],
        metadata: { gift: 'no' },
      },
      metadata: { till: '3' },
      tracking_id: 'visitor',
      session: { type: 'LOCK', key: 'cart-1', ttl: 2, ttl_unit: 'HOURS' },
    };
    expect(sent).toEqual(said);
    expect(request).toEqual({
      ...said,
      redeemables: [{ object: 'voucher', id: 'OFF' }],
      options: { expand: ['order', 'redemption'] },
    });
  });

  it('takes a customer that is a text as its source id', () => {
    expect(asked('code=OFF&customer=ada').sent).toEqual({ customer: { source_id: 'ada' } });
  });

  it('names no stored order, no credits and no fields to expand', () => {
    const more = 'order[id]=ord_1&order[source_id]=cart&gift[credits]=1&options[expand][]=category';
    expect(asked(`code=OFF&${more}`).sent).toEqual({});
  });

  it.each([
    ['', "Query should have required property 'code'"],
    ['code=', "Query should have required property 'code'"],
    ['code=OFF&amount=-1', 'Property .amount must be >= 0'],
    ['code=OFF&amount=many', 'Property .amount must be integer'],
    ['code=OFF&item=prod_1', 'Property .item must be array'],
    ['code=OFF&item[0][quantity]=1.5', 'Property .item[0].quantity must be integer'],
    ['code=OFF&customer=', 'Property .customer should NOT be shorter than 1 characters'],
    ['code=OFF&metadata=3', 'Property .metadata must be object'],
    ['code=OFF&order=ord_1', 'Property .order must be object'],
    [
      'code=OFF&session_type=HOLD',
      'Property .session_type should be equal to one of the allowed values [ LOCK ]',
    ],
    ['code=OFF&session_ttl=0', 'Property .session_ttl must be >= 1'],
    ['code=OFF&session_ttl=366', 'Property .session_ttl must not be longer than 365 days'],
  ])('is refused where it does not fit: %s', (text, details) => {
    expect(read(text)).toMatchObject({ refused: 'invalid_query_params', details });
  });
});
