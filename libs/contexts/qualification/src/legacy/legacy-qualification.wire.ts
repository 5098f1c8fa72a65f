import type { CampaignSnapshot, VoucherSnapshot } from '@scrip/contracts/campaigns';
import {
  type CampaignResponse,
  renderCampaign,
  renderVoucher,
  type VoucherAssets,
  type VoucherResponse,
} from '@scrip/wire/campaigns';
import type { QualifiedCandidate } from '../qualifying/judge';
import type { QualifiedAssignmentsResponse } from '../qualifying/qualification.wire';

type Part = QualifiedCandidate['parts'][number];

/** A campaign that qualifies, with what became of its rules. */
export interface QualifiedCampaignResponse extends Omit<CampaignResponse, 'validation_rules_assignments'> {
  validation_rules_assignments: QualifiedAssignmentsResponse;
}

/** A voucher that qualifies, with what became of its rules and those of its campaign. */
export interface QualifiedVoucherResponse extends Omit<VoucherResponse, 'validation_rules_assignments'> {
  validation_rules_assignments: QualifiedAssignmentsResponse;
  applicable_to: Part['applicable_to'];
  inapplicable_to: Part['inapplicable_to'];
}

interface LegacyQualificationResponse {
  object: 'list';
  data_ref: 'data';
  /** Items of this answer. */
  total: number;
  /** Of this qualification, which is not kept. */
  id: string;
  created_at: string;
  /** Recognises the customer in later calls. */
  tracking_id: string;
}

/** Answer of POST /v1/campaigns/qualification. Source: reference 02 §9. */
export interface CampaignsQualificationResponse extends LegacyQualificationResponse {
  data: QualifiedCampaignResponse[];
}

/** Answer of POST /v1/vouchers/qualification. Source: reference 02 §9. */
export interface VouchersQualificationResponse extends LegacyQualificationResponse {
  data: QualifiedVoucherResponse[];
}

/** A campaign as reads show it, with what became of its rules. */
export const renderQualifiedCampaign = (
  campaign: CampaignSnapshot,
  assignments: QualifiedAssignmentsResponse,
): QualifiedCampaignResponse => ({
  ...renderCampaign(campaign),
  validation_rules_assignments: assignments,
});

/** A voucher as reads show it, with what it acts on and what became of its rules. */
export const renderQualifiedVoucher = (
  voucher: VoucherSnapshot,
  assets: VoucherAssets,
  { applicable_to, inapplicable_to }: Part,
  assignments: QualifiedAssignmentsResponse,
): QualifiedVoucherResponse => ({
  ...renderVoucher(voucher, assets),
  validation_rules_assignments: assignments,
  applicable_to,
  inapplicable_to,
});
