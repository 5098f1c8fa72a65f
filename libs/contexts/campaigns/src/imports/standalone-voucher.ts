import type { VoucherTemplate } from '@scrip/contracts/campaigns';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { isRefused } from '@scrip/kernel';
import type { CampaignsRefusal } from '../campaigns.refusals';
import type { CreateVoucherBody } from '../voucher/creating/create-voucher.dto';
import { definedTemplate, draftVoucher } from '../voucher/creating/voucher-draft';
import { ownFieldsOf } from './imported-voucher';

/** A standalone voucher as an import brings it: as a single call would, under its code, with what of it is gone. */
export interface StandaloneVoucher {
  code: string;
  body: CreateVoucherBody;
  /** The validation rule that holds for it. */
  rule?: string | undefined;
  redeemed_quantity?: number | undefined;
  redeemed_amount?: number | undefined;
}

/** The voucher that an import brings. Refuses as `draftVoucher`, and `invalid_payload` for more uses or credits gone than there
 *  were. Source: reference 04 §5. */
export const standaloneTemplate = (
  { code, body, redeemed_quantity, redeemed_amount }: StandaloneVoucher,
  category: CategorySnapshot | null,
): VoucherTemplate | CampaignsRefusal => {
  const draft = draftVoucher(body);
  if (isRefused(draft)) return draft;
  const template = definedTemplate(draft, { campaign: null, category });
  const gone = ownFieldsOf(template, { code, redeemed_quantity, redeemed_amount }, undefined);
  return isRefused(gone) ? gone : { ...template, ...gone };
};
