import type { Candidate } from '@scrip/order-preview';
import type { PromotionTierEntry, VoucherEntry } from './request-file';

type Incentive = NonNullable<Candidate['redeemable']['incentive']>;
type Reward = NonNullable<Extract<Incentive, { reward: unknown }>['reward']>;

/** What a redeemable gives, and what refusals call it. */
export interface ReadIncentive {
  readonly incentive: Incentive;
  readonly label: Candidate['label'];
}

const readReward = (
  { reward }: VoucherEntry,
  balance: number,
): Reward | { readonly missing: string } | null => {
  if (!reward) return null;
  const { type, points, parameters } = reward;
  if (type === 'COIN') {
    const coin = parameters?.coin;
    return coin ? { type, ...coin, balance, points } : { missing: 'reward.parameters.coin' };
  }
  return points === undefined ? { missing: 'reward.points' } : { type: 'OTHER', balance, points };
};

/** Reads the one thing that an entry gives. Refuses with the field that is missing. */
export const readIncentive = (
  entry: VoucherEntry | PromotionTierEntry,
): ReadIncentive | { readonly missing: string } => {
  if (entry.object === 'promotion_tier') {
    return { incentive: { discount: entry.discount }, label: 'Promotion Tier' };
  }
  const { discount, gift, loyalty_card: card } = entry;
  if (discount) return { incentive: { discount }, label: 'Discount Coupon' };
  if (gift) return { incentive: { gift }, label: 'Gift Card' };
  if (!card) return { missing: 'discount, gift or loyalty_card' };
  const reward = readReward(entry, card.balance);
  return reward && 'missing' in reward ? reward : { incentive: { reward }, label: 'Loyalty Card' };
};

/** Names of what an entry gives, where it gives more than one thing. */
export const rivalsOf = (entry: VoucherEntry | PromotionTierEntry): readonly string[] => {
  const given = (['discount', 'gift', 'loyalty_card'] as const).filter((field) => field in entry);
  return given.length > 1 ? given : [];
};
