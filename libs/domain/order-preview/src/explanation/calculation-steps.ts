import {
  type CalculatedRedeemable,
  type Discount,
  type OrderDifference,
  type OrderState,
  openTotalOf,
} from '@scrip/order-calculation';

type LineStep = NonNullable<OrderDifference['items']>[number];

/** One step from the order before a redeemable to the order after it. Amounts: minor units. Source: reference 01 §5–§9. */
export type CalculationStep =
  /** How often its bundle was found. */
  | { readonly step: 'bundle'; readonly quantity: number; readonly limit: number }
  /** The discount with its resolved value and effect. */
  | { readonly step: 'discount'; readonly discount: Discount }
  | { readonly step: 'credits'; readonly balance: number; readonly used: number }
  | { readonly step: 'points'; readonly used: number }
  /** The amount of the order grew or fell by units. */
  | { readonly step: 'units'; readonly amount: number }
  /** What happened to one line. */
  | ({ readonly step: 'line' } & LineStep)
  /** What came off the whole order. */
  | { readonly step: 'order'; readonly discount_amount: number }
  /** What is to pay. */
  | { readonly step: 'total'; readonly before: number | null; readonly after: number | null };

type Applicable = Extract<CalculatedRedeemable, { status: 'APPLICABLE' }>;

const incentiveSteps = ({
  bundle,
  discount,
  gift,
  loyalty_card: card,
}: Applicable['result']): CalculationStep[] => [
  ...(bundle ? [{ step: 'bundle' as const, quantity: bundle.quantity, limit: bundle.limit }] : []),
  ...(discount ? [{ step: 'discount' as const, discount }] : []),
  ...(gift ? [{ step: 'credits' as const, balance: gift.balance, used: gift.credits }] : []),
  ...(card ? [{ step: 'points' as const, used: card.points }] : []),
];

const orderSteps = ({ amount, discount_amount, items = [] }: OrderDifference): CalculationStep[] => [
  ...(amount === undefined ? [] : [{ step: 'units' as const, amount }]),
  ...items.map((line) => ({ step: 'line' as const, ...line })),
  ...(discount_amount === undefined ? [] : [{ step: 'order' as const, discount_amount }]),
];

/** The steps of a redeemable that applied, in the order in which they were taken. `before`: what was to pay at its turn,
 *  null where no amount is known. */
export const calculationSteps = (outcome: Applicable, before: number | null): CalculationStep[] => [
  ...incentiveSteps(outcome.result),
  ...(outcome.difference ? orderSteps(outcome.difference) : []),
  { step: 'total', before, after: outcome.order?.total_amount ?? null },
];

/** What is to pay for an order; null where there is none or its amount is unknown. */
export const totalOf = (order: OrderState | null): number | null =>
  order?.amount === undefined ? null : openTotalOf(order);
