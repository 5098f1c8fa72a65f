import { isDeepStrictEqual } from 'node:util';
import type {
  CampaignEvent,
  CampaignSnapshot,
  CampaignVoucherTemplate,
  VoucherTemplate,
} from '@scrip/contracts/campaigns';
import type { CategorySnapshot, Instant, Metadata } from '@scrip/contracts/snapshot';
import { changedCategory, readDiscount, storedWindows, windowsMustBeSound } from '@scrip/incentives';
import { type Refusal, isRefused, refuse } from '@scrip/kernel';
import { metadataMustFit } from '@scrip/metadata-schemas';
import { type CampaignState, withAllCodes } from '../campaign/campaign.decider';
import { newGift } from '../campaign/kinds/gift-vouchers';
import { changedProgram } from '../campaign/kinds/referral-program';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { voucherTemplateOf } from '../voucher/voucher-template';
import { sentVoucherMustStay } from './sent-voucher';
import type { UpdateCampaignBody } from './update.dto';

/** A change of a campaign. `category`: the one that the body names, null where it clears it. `rewarding`: the campaign that the
 *  referee's reward of the body names, null without one. `check`: of the schema that the campaign's metadata follow. */
export interface CampaignUpdate {
  body: UpdateCampaignBody;
  category: CategorySnapshot | null;
  rewarding: CampaignSnapshot | null;
  check: (metadata: Metadata) => Refusal<'metadata_validation_failed'> | null;
  async_action_id: string;
  single_codes: number;
  now: Instant;
}

/** What a change says about vouchers: the fields that changed, before and after. */
export interface FollowedChange {
  before: Partial<VoucherTemplate>;
  after: Partial<VoucherTemplate>;
}

/** What follows from a change; without events where it changes nothing. */
export interface DecidedUpdate extends FollowedChange {
  events: CampaignEvent[];
}

/** Fields that vouchers take over from their campaign as it is changed. Source: reference 04 §4.3. */
const followed = [
  'start_date',
  'expiration_date',
  'validity_timeframe',
  'validity_day_of_week',
  'validity_hours',
  'category_id',
  'category',
  'categories',
  'discount',
  'metadata',
  'redemption',
] as const satisfies (keyof VoucherTemplate)[];

const windows = [
  'start_date',
  'expiration_date',
  'validity_timeframe',
  'validity_day_of_week',
  'validity_hours',
  'activity_duration_after_publishing',
] as const;

type Part = Partial<CampaignSnapshot>;
type Rule = (campaign: CampaignSnapshot, update: CampaignUpdate) => Part | CampaignsRefusal;

const givenOr = <T>(given: T | undefined, current: T): T => (given === undefined ? current : given);

const changeDescription: Rule = (campaign, { body }) => ({
  description: givenOr(body.description, campaign.description),
});

const changeWindows: Rule = (campaign, { body }) => {
  if (windows.every((name) => body[name] === undefined)) return {};
  const input = Object.fromEntries(windows.map((name) => [name, givenOr(body[name], campaign[name])]));
  const refusal = windowsMustBeSound(input);
  return (
    refusal ?? {
      start_date: givenOr(body.start_date, campaign.start_date),
      expiration_date: givenOr(body.expiration_date, campaign.expiration_date),
      activity_duration_after_publishing: givenOr(
        body.activity_duration_after_publishing,
        campaign.activity_duration_after_publishing,
      ),
      ...storedWindows(input),
    }
  );
};

const changeCategory: Rule = (campaign, { body, category }) =>
  body.category === undefined && body.category_id === undefined ? {} : changedCategory(campaign, category);

const changeMetadata: Rule = ({ metadata }, { body, check }) => {
  const { metadata: sent, unset_metadata_fields: unset } = body;
  if (sent === undefined && !unset) return {};
  const merged: Metadata = sent === null ? {} : { ...metadata, ...sent };
  for (const name of unset ?? []) delete merged[name];
  return metadataMustFit(merged) ?? check(merged) ?? { metadata: merged };
};

const changeType: Rule = ({ type }, { body }) => {
  const wanted = body.type ?? type;
  return wanted !== type && (wanted === 'STANDALONE' || type === 'STANDALONE')
    ? refuse('invalid_campaign', `Property 'type' cannot be changed from ${type} to ${wanted}`)
    : { type: wanted };
};

/** Loyalty programs are joined once, campaigns of one public code are not. Source: reference 04 §2.1. */
const changeJoining: Rule = ({ campaign_type, type, join_once, auto_join }, { body }) => ({
  join_once:
    campaign_type === 'LOYALTY_PROGRAM' || type === 'STANDALONE' || body.join_once === undefined
      ? join_once
      : (body.join_once ?? false),
  auto_join:
    campaign_type === 'LOYALTY_PROGRAM' && body.auto_join !== undefined
      ? (body.auto_join ?? false)
      : auto_join,
});

const changeProgram: Rule = ({ campaign_type, referral_program: current }, { body, rewarding }) => {
  const { referral_program: sent } = body;
  if (campaign_type !== 'REFERRAL_PROGRAM' || !current || !sent) return {};
  const program = changedProgram(current, sent, rewarding);
  return isRefused(program) ? program : { referral_program: program };
};

type Values = CampaignVoucherTemplate;

const changedDiscount = (
  { discount }: Values,
  { discount: sent }: UpdateCampaignBody,
  kind: string,
): Values['discount'] | CampaignsRefusal => {
  if (!discount || sent === undefined) return discount;
  if (sent === null)
    return refuse('invalid_campaign', `Property 'discount' is required for ${kind} campaign`);
  if (sent.type !== discount.type)
    return refuse('invalid_campaign', 'It is not possible to change Voucher discount type');
  return readDiscount(sent, '.discount');
};

/** Later codes get the new amount. Source: reference 04 §15. */
const changedGift = (
  { gift }: Values,
  { gift: sent }: UpdateCampaignBody,
  kind: string,
): Values['gift'] | CampaignsRefusal => {
  if (!gift || sent === undefined) return gift;
  if (sent === null)
    return refuse('invalid_campaign', `Property 'gift.amount' is required for ${kind} campaign`);
  return newGift({ amount: sent.amount ?? gift.amount, effect: sent.effect ?? gift.effect });
};

const changeVouchers: Rule = ({ voucher, campaign_type }, { body }) => {
  if (!voucher) return {};
  const discount = changedDiscount(voucher, body, campaign_type);
  if (isRefused(discount)) return discount;
  const gift = changedGift(voucher, body, campaign_type);
  if (isRefused(gift)) return gift;
  const { default_voucher_redemption: limit } = body;
  const redemption =
    limit === undefined || limit?.quantity === undefined
      ? limit === null
        ? { quantity: null }
        : voucher.redemption
      : { quantity: limit.quantity };
  return { voucher: { ...voucher, discount, gift, redemption } };
};

/** What can be changed of a campaign without vouchers: others are ignored. Source: reference 04 §4.3. */
const withoutVouchers = ({
  type: _type,
  join_once: _joinOnce,
  auto_join: _autoJoin,
  activity_duration_after_publishing: _activity,
  ...body
}: UpdateCampaignBody): UpdateCampaignBody => body;

const rules: readonly Rule[] = [
  changeDescription,
  changeWindows,
  changeType,
  changeJoining,
  changeProgram,
  changeVouchers,
  changeCategory,
  changeMetadata,
];

const namesOf = (before: object, after: object): string[] =>
  Object.keys(after).filter(
    (name) =>
      !isDeepStrictEqual((before as Record<string, unknown>)[name], (after as Record<string, unknown>)[name]),
  );

/** Names of changed fields, those of `voucher` each by itself. */
const changedFields = (before: CampaignSnapshot, after: CampaignSnapshot): string[] =>
  namesOf(before, after).flatMap((name) =>
    name === 'voucher' ? namesOf(before.voucher!, after.voucher!).map((part) => `voucher.${part}`) : [name],
  );

/** What vouchers are to follow; nothing for campaigns without vouchers. */
const followedChange = (before: CampaignSnapshot, after: CampaignSnapshot): FollowedChange => {
  if (!after.voucher) return { before: {}, after: {} };
  const [old, fresh] = [voucherTemplateOf(before), voucherTemplateOf(after)];
  const names = followed.filter((name) => !isDeepStrictEqual(old[name], fresh[name]));
  const picked = (of: VoucherTemplate) => Object.fromEntries(names.map((name) => [name, of[name]]));
  return { before: picked(old), after: picked(fresh) };
};

/** What follows from a change of a campaign. Refuses `invalid_payload`, `invalid_campaign` and `metadata_validation_failed`.
 *  Source: reference 04 §4.3, §15. */
export const decideUpdate = (
  update: CampaignUpdate,
  state: CampaignState,
): DecidedUpdate | CampaignsRefusal => {
  const before = withAllCodes(state, update.single_codes);
  const misplaced = sentVoucherMustStay(before, update.body.voucher);
  if (misplaced) return misplaced;
  const sent = before.voucher ? update : { ...update, body: withoutVouchers(update.body) };
  let after = before;
  for (const rule of rules) {
    const part = rule(before, sent);
    if (isRefused(part)) return part;
    after = { ...after, ...part };
  }
  const changed = changedFields(before, after);
  if (changed.length === 0) return { events: [], before: {}, after: {} };
  const { now } = update;
  // Without vouchers nothing has to follow.
  const async_action_id = after.voucher ? update.async_action_id : null;
  const status = { creation_status: 'MODIFYING', vouchers_generation_status: 'MODIFYING' } as const;
  const campaign: CampaignSnapshot = { ...after, ...(async_action_id && status), updated_at: now };
  return {
    events: [{ type: 'CampaignUpdated', data: { updated_at: now, changed, async_action_id, campaign } }],
    ...followedChange(before, after),
  };
};
