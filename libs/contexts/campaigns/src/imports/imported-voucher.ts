import { metadataMustFit } from '@scrip/metadata-schemas';
import type { CampaignSnapshot, VoucherTemplate } from '@scrip/contracts/campaigns';
import type { CategorySnapshot, Instant, Metadata } from '@scrip/contracts/snapshot';
import { categoryFields, windowsMustBeSound } from '@scrip/incentives';
import { refuse } from '@scrip/kernel';
import { isDeepStrictEqual } from 'node:util';
import type { CampaignsRefusal } from '../campaigns.refusals';

/** A voucher as an import brings it. Absent: inherited; null takes away what would be inherited. Amounts in minor units.
 *  Source: reference 04 §4.7. */
export interface ImportedVoucher {
  code: string;
  active?: boolean | undefined;
  /** Name or id of a category. */
  category?: string | null | undefined;
  start_date?: Instant | null | undefined;
  expiration_date?: Instant | null | undefined;
  additional_info?: string | null | undefined;
  metadata?: Metadata | undefined;
  quantity?: number | null | undefined;
  redeemed_quantity?: number | undefined;
  gift_amount?: number | undefined;
  redeemed_amount?: number | undefined;
  points?: number | undefined;
}

type Own = Partial<VoucherTemplate>;

const given = <T>(value: T | undefined, fields: (value: T) => Own): Own =>
  value === undefined ? {} : fields(value);

const giftOf = ({ gift }: VoucherTemplate, { gift_amount, redeemed_amount = 0 }: ImportedVoucher): Own => {
  if (!gift || (gift_amount === undefined && redeemed_amount === 0)) return {};
  const amount = gift_amount ?? gift.amount;
  return { gift: { ...gift, amount, balance: amount - gift.subtracted_amount - redeemed_amount } };
};

const cardOf = ({ loyalty_card }: VoucherTemplate, { points }: ImportedVoucher): Own =>
  loyalty_card && points !== undefined ? { loyalty_card: { ...loyalty_card, points, balance: points } } : {};

const redemptionOf = (
  { redemption }: VoucherTemplate,
  { quantity, redeemed_quantity }: ImportedVoucher,
): Own =>
  quantity === undefined && redeemed_quantity === undefined
    ? {}
    : {
        redemption: {
          ...redemption,
          ...(quantity === undefined ? {} : { quantity }),
          ...(redeemed_quantity === undefined ? {} : { redeemed_quantity }),
        },
      };

type Policy = (voucher: VoucherTemplate, sent: ImportedVoucher) => string | null;

const datesMustFit: Policy = (voucher, sent) =>
  sent.start_date === undefined && sent.expiration_date === undefined
    ? null
    : (windowsMustBeSound(voucher)?.details ?? null);

const redeemedMustFitLimit: Policy = ({ redemption: { quantity, redeemed_quantity } }) =>
  quantity !== null && redeemed_quantity > quantity
    ? `Property .redemption.redeemed_quantity must not be above .redemption.quantity (${quantity})`
    : null;

const redeemedMustFitGift: Policy = ({ gift }, { redeemed_amount }) => {
  if (redeemed_amount === undefined) return null;
  if (!gift) return 'Property .redemption.redeemed_amount is only allowed for gift cards';
  return gift.balance < 0
    ? `Property .redemption.redeemed_amount must not be above .gift.amount (${gift.amount})`
    : null;
};

const policies: readonly Policy[] = [datesMustFit, redeemedMustFitLimit, redeemedMustFitGift];

/** Returns the fields that an imported voucher has otherwise than `definition`; its metadata are merged into the inherited ones.
 *  `category`: the one it names. Refuses `invalid_payload` where fields do not fit each other. Source: reference 04 §4.7. */
export const ownFieldsOf = (
  definition: VoucherTemplate,
  sent: ImportedVoucher,
  category: CategorySnapshot | null | undefined,
): Own | CampaignsRefusal => {
  const fields: Own = {
    ...given(category, categoryFields),
    ...given(sent.active, (active) => ({ active })),
    ...given(sent.start_date, (start_date) => ({ start_date })),
    ...given(sent.expiration_date, (expiration_date) => ({ expiration_date })),
    ...given(sent.additional_info, (additional_info) => ({ additional_info })),
    ...given(sent.metadata, (metadata) => ({ metadata: { ...definition.metadata, ...metadata } })),
    ...redemptionOf(definition, sent),
    ...giftOf(definition, sent),
    ...cardOf(definition, sent),
  };
  const voucher = { ...definition, ...fields };
  const tooLarge = metadataMustFit(voucher.metadata);
  if (tooLarge) return tooLarge;
  for (const policy of policies) {
    const problem = policy(voucher, sent);
    if (problem !== null) return refuse('invalid_payload', problem);
  }
  const own = Object.entries(fields).filter(
    ([field, value]) => !isDeepStrictEqual(value, definition[field as keyof VoucherTemplate]),
  );
  return Object.fromEntries(own) as Own;
};

/** Whether codes can be imported into a campaign. Refuses `invalid_campaign`. Source: reference 04 §4.7. */
export const mustTakeImports = ({
  type,
  voucher,
  campaign_type,
}: CampaignSnapshot): CampaignsRefusal | null =>
  type === 'STANDALONE' || !voucher
    ? refuse(
        'invalid_campaign',
        `You can not import vouchers to ${voucher ? type : campaign_type} type campaign.`,
      )
    : null;
