import { type Ratio, type Refusal, roundHalfUp } from '@scrip/kernel/pure';
import type { CalculationRefusalKey } from '../calculation-refusals';
import { discountOrder } from '../effects/discount-order';
import { exactDecimal } from '../exact-decimal';
import { type OrderState, openTotalOf } from '../order/order-state';
import type { RewardIncentive } from '../redeemable';
import { paymentRefusals } from './payment-refusals';

type Reward = NonNullable<RewardIncentive['reward']>;
type CoinReward = Extract<Reward, { type: 'COIN' }>;

const ceilDivide = (numerator: bigint, denominator: bigint): bigint =>
  (numerator + denominator - 1n) / denominator;

/** Minor units that `points_ratio` points are worth. */
const valueOfRatio = ({ exchange_ratio }: CoinReward): Ratio => {
  const { numerator, denominator } = exactDecimal(exchange_ratio);
  return { numerator: numerator * 100n, denominator };
};

/** Fewest points in whole multiples of `points_ratio` that cover `amountMinor`. */
const coveringPoints = (reward: CoinReward, amountMinor: number): bigint => {
  const { numerator, denominator } = valueOfRatio(reward);
  if (numerator <= 0n || reward.points_ratio <= 0) return 0n;
  return ceilDivide(BigInt(amountMinor) * denominator, numerator) * BigInt(reward.points_ratio);
};

/** Points that the order takes: what was sent or what covers it, at most what covers it and what the card holds. */
const takenPoints = (reward: CoinReward, openTotalMinor: number): number => {
  const covering = coveringPoints(reward, openTotalMinor);
  const most = BigInt(reward.points ?? reward.balance);
  return Number(covering < most ? covering : most);
};

/** What `points` are worth, linearly: parts of `points_ratio` count too. */
const valueOfPoints = (reward: CoinReward, points: number): bigint => {
  const { numerator, denominator } = valueOfRatio(reward);
  return roundHalfUp(BigInt(points) * numerator, denominator * BigInt(reward.points_ratio));
};

/** Why the card cannot pay; null when it can. A card without any points pays nothing.
 *  Source: reference 01 §7, reference 03 §4.3 (checks 12, 14), reference 05 §9.2. */
export const pointsRefusal = (
  reward: Reward,
  code: string,
  order: OrderState | null,
): Refusal<CalculationRefusalKey> | null => {
  if (reward.type === 'COIN') {
    if (!order) return paymentRefusals.missingOrder('LOYALTY_CARD');
    if (order.amount === undefined) return paymentRefusals.missingAmount('LOYALTY_CARD');
  }
  const least = reward.type === 'COIN' ? 1 : 0;
  return Math.max(reward.points ?? 0, least) > reward.balance ? paymentRefusals.pointsExceeded(code) : null;
};

/** The order after points, and the points that it cost. Rewards that are no money leave the order alone and cost what
 *  they cost. Points beyond what covers the order stay on the card. Source: reference 01 §7. */
export const payWithPoints = (
  order: OrderState | null,
  reward: Reward,
): { order: OrderState | null; points: number } => {
  if (reward.type !== 'COIN' || !order) return { order, points: reward.points ?? 0 };
  const points = takenPoints(reward, openTotalOf(order));
  if (points === 0) return { order, points };
  const value = valueOfPoints(reward, points);
  const discount = value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
  return { order: discountOrder(order, discount), points };
};
