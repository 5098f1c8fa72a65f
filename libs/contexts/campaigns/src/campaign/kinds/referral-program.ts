import { isDeepStrictEqual } from 'node:util';
import type { CampaignSnapshot, ReferralProgramSnapshot } from '@scrip/contracts/campaigns';
import { isRefused, refuse } from '@scrip/kernel';
import type { CampaignsRefusal } from '../../campaigns.refusals';
import type { CampaignKind } from './campaign-kind';
import { discountCoupons } from './discount-coupons';
import type { ReferralProgramBody } from './referral-program.dto';

/** The program of a body, without the name of the campaign that rewards. */
const readProgram = ({
  conversion_event_type,
  custom_event: event,
  referee_reward: reward,
}: ReferralProgramBody): ReferralProgramSnapshot | CampaignsRefusal => {
  const conversion = conversion_event_type ?? 'redemption';
  const isByEvent = conversion === 'custom_event';
  if (isByEvent && !event?.id && !event?.name) {
    return refuse(
      'invalid_campaign',
      "Property 'referral_program.custom_event' is required for REFERRAL_PROGRAM campaign",
    );
  }
  return {
    conversion_event_type: conversion,
    ...(isByEvent
      ? {
          custom_event: {
            ...(event?.id ? { id: event.id } : {}),
            ...(event?.name ? { name: event.name } : {}),
          },
        }
      : {}),
    ...(reward
      ? {
          referee_reward: {
            type: reward.type,
            amount: reward.amount,
            related_object_parent: { id: reward.related_object_parent.id, object: 'CAMPAIGN' },
          },
        }
      : {}),
  };
};

/** Discount codes with which customers refer others. Source: reference 04 §2.1, §11. */
export const referralProgram: CampaignKind = {
  type: 'REFERRAL_PROGRAM',
  voucherType: 'DISCOUNT_VOUCHER',
  required: 'voucher.discount',
  takesStandalone: false,
  template: (body) => {
    const template = discountCoupons.template(body);
    return isRefused(template) ? template : { ...template, is_referral_code: true };
  },
  settings: ({ join_once, referral_program }) => {
    const program = readProgram(referral_program ?? {});
    return isRefused(program)
      ? program
      : { join_once: join_once ?? false, auto_join: false, referral_program: program };
  },
};

/** The kind of campaign that rewards with each type of card. */
const rewardingKinds = { LOYALTY_CARD: 'LOYALTY_PROGRAM', GIFT_VOUCHER: 'GIFT_VOUCHERS' } as const;

/** The program with the campaign that its reward names. Refuses `invalid_campaign` for one of another kind.
 *  Source: reference 04 §11. */
export const withRewardingCampaign = (
  program: ReferralProgramSnapshot,
  rewarding: Pick<CampaignSnapshot, 'id' | 'name' | 'campaign_type'>,
): ReferralProgramSnapshot | CampaignsRefusal => {
  const { referee_reward: reward } = program;
  if (!reward) return program;
  const kind = rewardingKinds[reward.type];
  if (rewarding.campaign_type !== kind) {
    return refuse(
      'invalid_campaign',
      `Property 'referral_program.referee_reward.related_object_parent' should be a ${kind} campaign for ${reward.type}`,
    );
  }
  const { id, name } = rewarding;
  return {
    ...program,
    referee_reward: { ...reward, related_object_parent: { id, name, object: 'CAMPAIGN' } },
  };
};

/** The program with what a body changes of it: what is absent stays, null clears. `rewarding`: the campaign that the reward of
 *  the body names. Refuses `invalid_campaign`, also for another way to convert. Source: reference 04 §4.3, §15. */
export const changedProgram = (
  current: ReferralProgramSnapshot,
  sent: ReferralProgramBody,
  rewarding: Pick<CampaignSnapshot, 'id' | 'name' | 'campaign_type'> | null,
): ReferralProgramSnapshot | CampaignsRefusal => {
  const { referee_reward: reward, ...conversion } = current;
  const program = readProgram({ ...conversion, ...sent });
  if (isRefused(program)) return program;
  const unlike = (['conversion_event_type', 'custom_event'] as const).find(
    (name) => !isDeepStrictEqual(program[name], current[name]),
  );
  if (unlike) return refuse('invalid_campaign', `Property 'referral_program.${unlike}' cannot be changed`);
  if (sent.referee_reward === undefined) return reward ? { ...program, referee_reward: reward } : program;
  return rewarding ? withRewardingCampaign(program, rewarding) : program;
};
