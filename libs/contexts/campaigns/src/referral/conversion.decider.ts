import type {
  CampaignSnapshot,
  CustomerReferred,
  ReferralCause,
  ReferralEvent,
  ReferralRevoked,
  ReferralSnapshot,
  VoucherSnapshot,
} from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';

/** A campaign's referral of one customer; `referral` null: it was revoked. */
export interface ReferralState {
  referral: ReferralSnapshot | null;
}

/** What a customer did with a referral code, `at` business time. `voucher` and `campaign`: as they were then. */
export interface Convert {
  voucher: VoucherSnapshot;
  campaign: CampaignSnapshot;
  customer_id: string;
  cause: ReferralCause;
  at: Instant;
}

/** The setting of a program that each cause fulfils. */
const conversionBy = { redemption: 'redemption', event: 'custom_event' } as const satisfies Record<
  ReferralCause['type'],
  string
>;

type Policy = (command: Convert) => boolean;

const codeMustRefer: Policy = ({ voucher }) => voucher.is_referral_code && voucher.referrer_id !== null;

const programMustConvertBy: Policy = ({ campaign, cause }) =>
  campaign.campaign_type === 'REFERRAL_PROGRAM' &&
  (campaign.referral_program?.conversion_event_type ?? 'redemption') === conversionBy[cause.type];

/** A published code with dates of its own outlives its campaign. Source: reference 04 §7. */
const campaignMustBeOpen: Policy = ({ campaign, voucher, at }) => {
  const { active, start_date, expiration_date, activity_duration_after_publishing } = campaign;
  const ends = activity_duration_after_publishing ? voucher.expiration_date : expiration_date;
  const now = Date.parse(at);
  return active && (!start_date || Date.parse(start_date) <= now) && (!ends || now <= Date.parse(ends));
};

const nobodyMayReferThemselves: Policy = ({ voucher, customer_id }) => voucher.referrer_id !== customer_id;

const policies: readonly Policy[] = [
  codeMustRefer,
  programMustConvertBy,
  campaignMustBeOpen,
  nobodyMayReferThemselves,
];

/** Returns whether the cause converts the customer, leaving earlier referrals aside. Source: reference 04 §11. */
export const converts = (command: Convert): boolean => policies.every((policy) => policy(command));

/** Refers the customer unless the campaign has a referral of that customer. Call it only where `converts` holds.
 *  Source: reference 04 §11. */
export const refer = (
  { voucher, campaign, customer_id, cause, at }: Convert,
  state: ReferralState | undefined,
): CustomerReferred[] => {
  if (state?.referral || voucher.referrer_id === null) return [];
  const referral: ReferralSnapshot = {
    campaign_id: campaign.id,
    campaign: campaign.name,
    voucher_id: voucher.id,
    referee_id: customer_id,
    referrer_id: voucher.referrer_id,
    cause,
    date: at,
  };
  return [{ type: 'CustomerReferred', data: { referral, voucher, campaign } }];
};

/** Takes back the referral that a redemption made; one that another cause made stays. Source: reference 04 §15. */
export const revoke = (redemptionId: string, state: ReferralState | undefined): ReferralRevoked[] => {
  const referral = state?.referral;
  return referral?.cause.type === 'redemption' && referral.cause.id === redemptionId
    ? [{ type: 'ReferralRevoked', data: { referral } }]
    : [];
};

/** Copies what events say. Total: never throws or decides. */
export const evolveReferral = (_state: ReferralState | undefined, event: ReferralEvent): ReferralState => {
  switch (event.type) {
    case 'CustomerReferred':
      return { referral: event.data.referral };
    case 'ReferralRevoked':
      return { referral: null };
  }
};
