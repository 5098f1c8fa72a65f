import type { OrderEvent, OrderSnapshot } from '@scrip/contracts/customers';
import { givenFor } from '@scrip/testing';
import { evolveOrder } from './order.decider';
import { plainOrder } from './order.fixture';
import { orderBytesMax } from '@scrip/contracts/customers';
import { type OrderDraft, type WriteOrder, decideOrderWrite } from './write-order.decider';

const given = givenFor<WriteOrder, OrderSnapshot | undefined, OrderEvent>({
  decide: decideOrderWrite,
  evolve: evolveOrder,
  initialState: undefined,
});

const now = '2026-04-01T12:00:00.000Z';
const creating = (draft: OrderDraft): WriteOrder => ({ type: 'CreateOrder', order_id: 'ord_1', draft, now });
const changing = (draft: OrderDraft): WriteOrder => ({ type: 'ChangeOrder', order_id: 'ord_1', draft, now });

const created = (order: OrderSnapshot): OrderEvent => ({ type: 'OrderCreated', data: { order } });
const updated = (order: OrderSnapshot): OrderEvent => ({ type: 'OrderUpdated', data: { order } });

const empty: OrderSnapshot = {
  id: 'ord_1',
  source_id: null,
  status: 'CREATED',
  customer_id: null,
  referrer_id: null,
  items: [],
  metadata: {},
  redemptions: {},
  created_at: now,
  updated_at: null,
};

const line = (fields: object) => ({
  object: 'order_item' as const,
  quantity: 1,
  initial_quantity: 1,
  ...fields,
});

const amounts = (amount: number) => ({ amount, initial_amount: amount, subtotal_amount: amount });

const totals = (amount: number) => ({ amount, initial_amount: amount, total_amount: amount });

describe('a new order (reference 07 §5)', () => {
  it('of nothing is CREATED, without figures', () => {
    given().when(creating({})).then(created(empty));
  });

  it.each<[string, OrderDraft, Partial<OrderSnapshot>]>([
    [
      'price × quantity, quantity 1 unless sent; the order costs what its items do',
      {
        items: [
          { product_id: 'prod_1', price: 500, quantity: 3 },
          { sku_id: 'sku_1', price: 200 },
        ],
      },
      {
        ...totals(1_700),
        items: [
          line({ product_id: 'prod_1', price: 500, quantity: 3, initial_quantity: 3, ...amounts(1_500) }),
          line({ sku_id: 'sku_1', price: 200, ...amounts(200) }),
        ],
      },
    ],
    [
      'a sent amount of an item without a price, and none of one that has neither',
      { items: [{ source_id: 'cup', related_object: 'product', amount: 900 }, { product_id: 'prod_2' }] },
      {
        ...totals(900),
        items: [
          line({ source_id: 'cup', related_object: 'product', ...amounts(900) }),
          line({ product_id: 'prod_2' }),
        ],
      },
    ],
    [
      'the price of the item before its SKU’s, and that before its product’s',
      {
        items: [
          { price: 1, sku: { price: 2 }, product: { price: 3 } },
          { sku: { price: 2 }, product: { price: 3 } },
          { product: { price: 3, name: 'Mug', override: true } },
        ],
      },
      {
        ...totals(6),
        items: [
          line({ price: 1, sku: { price: 2 }, product: { price: 3 }, ...amounts(1) }),
          line({ price: 2, sku: { price: 2 }, product: { price: 3 }, ...amounts(2) }),
          line({ price: 3, product: { name: 'Mug', price: 3 }, ...amounts(3) }),
        ],
      },
    ],
    [
      'a sent amount stays, also where the items say another (decision 2)',
      { amount: 5_000, items: [{ product_id: 'prod_1', price: 500 }] },
      { ...totals(5_000), items: [line({ product_id: 'prod_1', price: 500, ...amounts(500) })] },
    ],
  ])('%s', (_, draft, shown) => {
    given()
      .when(creating(draft))
      .then(created({ ...empty, ...shown }));
  });

  it('tells the status it begins with', () => {
    given()
      .when(creating({ status: 'PAID', customer_id: 'cust_1', referrer_id: 'cust_2', source_id: 'shop-1' }))
      .then(
        created({
          ...empty,
          status: 'PAID',
          customer_id: 'cust_1',
          referrer_id: 'cust_2',
          source_id: 'shop-1',
        }),
        { type: 'OrderPaid', data: { order_id: 'ord_1', status: 'PAID' } },
      );
  });

  it('is stored once', () => {
    given(created(empty))
      .when(creating({ amount: 100 }))
      .then();
  });

  it.each<[string, OrderDraft, string]>([
    ['quantity 0', { items: [{ quantity: 0 }] }, 'Property .items[0].quantity cannot be lower than 1'],
    [
      'a line beyond exact integers',
      { items: [{ price: 1e13, quantity: 1e6 }] },
      'Property .items[0].amount must be <= 9007199254740991',
    ],
    [
      'more than an event holds',
      { metadata: { text: 'x'.repeat(orderBytesMax) } },
      'Payload cannot make the order larger than 600000 bytes',
    ],
  ])('refuses %s', (_, draft, details) => {
    given().when(creating(draft)).thenRefused('invalid_payload', { details });
  });
});

describe('a change of an order (reference 07 §1.1, §5)', () => {
  const order: OrderSnapshot = { ...plainOrder, status: 'CREATED', metadata: { channel: 'web', gift: true } };

  it.each<[string, OrderDraft, Partial<OrderSnapshot>]>([
    [
      'merges metadata by top-level key; null is a value',
      { metadata: { channel: null, note: 'x' } },
      { metadata: { channel: null, gift: true, note: 'x' } },
    ],
    ['gives it a source id', { source_id: 'shop-2' }, { source_id: 'shop-2' }],
    [
      'gives it another customer and a referrer',
      { customer_id: 'cust_7', referrer_id: 'cust_8' },
      { customer_id: 'cust_7', referrer_id: 'cust_8' },
    ],
    [
      'replaces the items, and recomputes the amounts',
      { items: [{ product_id: 'prod_9', price: 70 }] },
      { ...totals(70), items: [line({ product_id: 'prod_9', price: 70, ...amounts(70) })] },
    ],
    ['takes a sent amount, and leaves the items', { amount: 800 }, totals(800)],
  ])('%s', (_, draft, changed) => {
    given(created(order))
      .when(changing(draft))
      .then(updated({ ...order, ...changed, updated_at: now }));
  });

  it.each<[string, OrderDraft]>([
    ['nothing sent', {}],
    ['the status it has', { status: 'CREATED' }],
    ['the same values', { metadata: { gift: true }, customer_id: 'cust_1', referrer_id: null }],
    ['the same items', { items: [{ product_id: 'prod_1', price: 500, quantity: 2 }] }],
    ['the same amount', { amount: 1_000 }],
  ])('does nothing: %s', (_, draft) => {
    given(created(order)).when(changing(draft)).then();
  });

  const statuses = ['CREATED', 'PAID', 'CANCELED', 'FULFILLED'] as const;
  const told = {
    CREATED: [],
    PAID: ['OrderPaid'],
    CANCELED: ['OrderCanceled'],
    FULFILLED: ['OrderFulfilled'],
  };

  it.each(statuses.flatMap((from) => statuses.filter((to) => to !== from).map((to) => [from, to] as const)))(
    'may go from %s to %s, which is told once',
    (from, to) => {
      const decided = decideOrderWrite(changing({ status: to }), { ...order, status: from });
      expect((decided as OrderEvent[]).map(({ type }) => type)).toEqual(['OrderUpdated', ...told[to]]);
    },
  );

  it('refuses an order that does not exist', () => {
    given().when(changing({})).thenRefused('not_found', {
      details: 'Cannot find order with id ord_1',
      resourceId: 'ord_1',
      resourceType: 'order',
    });
  });

  describe('that was redeemed', () => {
    const entry = {
      date: '2026-03-31T10:00:00.000Z',
      related_object_type: 'voucher',
      related_object_id: 'v_1',
      related_object_parent_id: null,
    } as const;
    const redeemed: OrderSnapshot = {
      ...order,
      discount_amount: 100,
      items_discount_amount: 40,
      total_discount_amount: 140,
      total_amount: 860,
      applied_discount_amount: 100,
      items_applied_discount_amount: 40,
      total_applied_discount_amount: 140,
      items: [{ ...order.items[0]!, discount_amount: 40, applied_discount_amount: 40, subtotal_amount: 960 }],
      redemptions: {
        r_1: {
          ...entry,
          difference: { discount_amount: 100, items: [{ index: 0, discount_amount: 40 }] },
        },
      },
    };

    it('keeps its figures where neither items nor amount are sent', () => {
      given(created(redeemed))
        .when(changing({ metadata: { note: 'x' } }))
        .then(updated({ ...redeemed, metadata: { ...redeemed.metadata, note: 'x' }, updated_at: now }));
    });

    it('loses item discounts with its items, and keeps those of the order', () => {
      const { items_discount_amount: _, applied_discount_amount: __, ...rest } = redeemed;
      const { items_applied_discount_amount: ___, total_applied_discount_amount: ____, ...kept } = rest;
      given(created(redeemed))
        .when(changing({ items: [{ product_id: 'prod_1', price: 500 }] }))
        .then(
          updated({
            ...kept,
            ...totals(500),
            discount_amount: 100,
            total_discount_amount: 100,
            total_amount: 400,
            items: [line({ product_id: 'prod_1', price: 500, ...amounts(500) })],
            redemptions: { r_1: { ...entry, difference: { discount_amount: 100 } } },
            updated_at: now,
          }),
        );
    });

    it('stays as it is where the same amount is sent again', () => {
      given(created(redeemed))
        .when(changing({ amount: 1_000 }))
        .then();
    });
  });
});
