import fc from 'fast-check';
import type { CalculatedOrder } from '../order/order';
import { orderView } from '../order/order-state';
import { type RedeemedOrder, lasting, redeemed, undone } from '../order/redeemed.fixture';
import { cart } from '../calculation.fixture';
import { type CalculationRequest, records, requests } from './requests.fixture';

/** Requests that are redeemed one after another on the order of the first. */
const redemptions = fc.array(requests, { minLength: 1, maxLength: 4 });

/** Numbers by which redemptions are sorted for their rollbacks. */
const turns = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 4, maxLength: 4 });

const idOf = (index: number): string => `r_${index}`;

const redeemAll = (list: readonly CalculationRequest[]): RedeemedOrder[] =>
  list.reduce<RedeemedOrder[]>((orders, { redeemables, settings }, index) => {
    const before = orders.at(-1) ?? null;
    const sent = before ? {} : list[0]!.sent;
    return [...orders, redeemed(before, idOf(index), redeemables, sent, records, settings)];
  }, []);

const untouched = ({ sent }: CalculationRequest): CalculatedOrder => {
  const state = cart(sent, { records });
  return orderView(state, state);
};

const sum = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** A rolled back order counts from 0 where its amount was unknown before. */
const counted = <T extends object>(order: T): object => ({
  amount: 0,
  initial_amount: 0,
  total_amount: 0,
  ...order,
});

// One `expect` for each order would take most of the time.
/** What is wrong between an order and the differences of its redemptions. */
const faultsOf = ({ order, differences }: RedeemedOrder): string[] => {
  const all = Object.values(differences);
  const lineSum = (index: number, figure: 'quantity' | 'amount' | 'discount_amount') =>
    sum(all.map(({ items = [] }) => items.find((line) => line.index === index)?.[figure]));
  const sound: Record<string, boolean> = {
    'an amount':
      (order.amount ?? 0) - (order.initial_amount ?? order.amount ?? 0) === sum(all.map((one) => one.amount)),
    'a discount of the order': (order.discount_amount ?? 0) === sum(all.map((one) => one.discount_amount)),
    'a negative figure': order.items.every((line) => line.quantity >= 0 && (line.subtotal_amount ?? 0) >= 0),
    'a negative total': (order.total_amount ?? 0) >= 0,
    'the units of a line': order.items.every(
      (line, index) => line.quantity - line.initial_quantity === lineSum(index, 'quantity'),
    ),
    'the discount of a line': order.items.every(
      (line, index) => (line.discount_amount ?? 0) === lineSum(index, 'discount_amount'),
    ),
    'a line that is not there': all.every(({ items = [] }) =>
      items.every(({ index }) => index < order.items.length),
    ),
  };
  return Object.keys(sound).filter((fault) => !sound[fault]);
};

/** The properties that hold for redemptions of one order and their rollbacks, each over `cases` random ones. */
export const undoProperties = (cases: number, seed: number): void => {
  test('redeemed in any order and rolled back in any order, an order ends as if nothing had been redeemed', () => {
    fc.assert(
      fc.property(redemptions, turns, (list, turnOf) => {
        let order = redeemAll(list).at(-1)!;
        const ids = list.map((_, index) => index).sort((one, other) => turnOf[one]! - turnOf[other]!);
        const faults = ids.flatMap((index) => faultsOf((order = undone(order, idOf(index)))));
        expect({ faults, differences: order.differences, ...counted(order.order) }).toEqual({
          faults: [],
          differences: {},
          ...counted(untouched(list[0]!)),
        });
      }),
      { numRuns: cases, seed },
    );
  });

  test('the last redemption leaves the order exactly as it found it', () => {
    fc.assert(
      fc.property(redemptions, (list) => {
        const orders = redeemAll(list);
        const found = orders.slice(0, -1);
        const left = found.map((_, index) => undone(orders[index + 1]!, idOf(index + 1)));
        expect({
          faults: orders.flatMap(faultsOf),
          left: left.map(({ order, differences }) => ({ differences, ...counted(order) })),
        }).toEqual({
          faults: [],
          left: found.map(({ order, differences }) => ({ differences, ...counted(lasting(order)) })),
        });
      }),
      { numRuns: cases, seed },
    );
  });
};
