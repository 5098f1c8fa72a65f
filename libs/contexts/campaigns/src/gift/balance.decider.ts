import type {
  CampaignSnapshot,
  GiftCreditsAdjusted,
  GiftSnapshot,
  GiftTransaction,
} from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import { type Refusal, refuse } from '@scrip/kernel';
import { isDeleted, type VoucherState, voucherNotFound } from '../voucher/voucher.decider';
import { adjusted, totalOf } from './gift-account';

/** A change of a balance by hand. `amount`: signed minor units. `source`: the channel of the call. */
export interface AdjustBalance {
  type: 'AdjustBalance';
  voucherId: string;
  transactionId: string;
  amount: number;
  source_id: string | null;
  reason: string | null;
  source: string;
  campaign: CampaignSnapshot | null;
  now: Instant;
}

/** Why a balance is not changed. */
export type BalanceRefusalKey =
  'not_found' | 'invalid_add_balance_params' | 'not_published' | 'gift_amount_exceeded';

type BalanceRefusal = Refusal<BalanceRefusalKey>;
type Policy = (command: AdjustBalance, state: VoucherState) => BalanceRefusal | null;

const amountMustChangeSomething: Policy = ({ amount }) =>
  amount === 0 ? refuse('invalid_add_balance_params', 'Property .amount must not be 0') : null;

const cardMustHaveAHolder: Policy = (_, { voucher }) =>
  voucher.type === 'LOYALTY_CARD' && voucher.holder_id === null
    ? refuse('not_published', 'Loyalty card must be published to a customer before its balance is changed')
    : null;

const voucherMustHoldCredits: Policy = (_, { voucher }) =>
  voucher.gift
    ? null
    : refuse('invalid_add_balance_params', `A voucher of type ${voucher.type} has no balance of credits`);

const balanceMustSuffice: Policy = ({ amount }, { voucher }) =>
  voucher.gift!.balance + amount < 0 ? refuse('gift_amount_exceeded', voucher.code) : null;

const isExact = ({ amount, subtracted_amount }: GiftSnapshot): boolean =>
  Number.isSafeInteger(amount) && Number.isSafeInteger(subtracted_amount);

const sumsMustStayExact: Policy = ({ amount }, { voucher }) =>
  isExact(adjusted(voucher.gift!, amount))
    ? null
    : refuse(
        'invalid_add_balance_params',
        `All that is added to a card, or taken away, must not exceed ${Number.MAX_SAFE_INTEGER}`,
      );

/** In the order in which they refuse. Source: reference 04 §6.1, §15. */
const policies: readonly Policy[] = [
  amountMustChangeSomething,
  cardMustHaveAHolder,
  voucherMustHoldCredits,
  balanceMustSuffice,
  sumsMustStayExact,
];

/** Refuses `not_found`, `invalid_add_balance_params`, `not_published` and `gift_amount_exceeded`. Source: reference 04 §6.1, §15. */
export const decideBalance = (
  command: AdjustBalance,
  state: VoucherState | undefined,
): [GiftCreditsAdjusted] | BalanceRefusal => {
  if (!state || isDeleted(state)) return voucherNotFound(command.voucherId);
  for (const policy of policies) {
    const refusal = policy(command, state);
    if (refusal) return refusal;
  }
  const { voucher } = state;
  const { transactionId: id, amount, source_id, source, reason, campaign, now } = command;
  const gift = adjusted(voucher.gift!, amount);
  const transaction: GiftTransaction = {
    id,
    type: amount > 0 ? 'CREDITS_ADDITION' : 'CREDITS_REMOVAL',
    voucher_id: voucher.id,
    campaign_id: voucher.campaign_id,
    source_id,
    source,
    reason,
    amount,
    total: totalOf(gift),
    balance: gift.balance,
    order: null,
    redemption_id: null,
    rollback_id: null,
    related_transaction_id: null,
    created_at: now,
  };
  const data = { transaction, voucher: { ...voucher, gift, updated_at: now }, campaign };
  return [{ type: 'GiftCreditsAdjusted', data }];
};
