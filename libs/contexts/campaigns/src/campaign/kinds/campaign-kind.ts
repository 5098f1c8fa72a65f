import type {
  CampaignSnapshot,
  CampaignType,
  CampaignVoucherTemplate,
  VoucherType,
} from '@scrip/contracts/campaigns';
import type { CampaignsRefusal } from '../../campaigns.refusals';
import type { CreateCampaignBody } from '../campaign.dto';

/** What the codes of a campaign give. */
export type KindTemplate = Pick<
  CampaignVoucherTemplate,
  'discount' | 'gift' | 'loyalty_card' | 'is_referral_code'
>;

/** What a kind decides about the campaign itself. */
export type KindSettings = Pick<CampaignSnapshot, 'join_once' | 'auto_join' | 'referral_program'>;

/** One kind of campaign that has codes. `required`: the path in the create body without which there is no such
 *  campaign. Source: reference 04 §2.1. */
export interface CampaignKind {
  readonly type: CampaignType;
  readonly voucherType: VoucherType;
  readonly required: string;
  /** Whether it may be `STANDALONE`, with one public code. */
  readonly takesStandalone: boolean;
  /** Reads the values of its codes; what is `required` is there. Refuses values that no redemption can use. */
  template(body: CreateCampaignBody): KindTemplate | CampaignsRefusal;
  /** Returns its forced and default values. */
  settings(body: CreateCampaignBody): KindSettings | CampaignsRefusal;
}
