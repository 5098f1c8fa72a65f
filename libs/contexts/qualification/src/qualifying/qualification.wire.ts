import type { Qualified } from '@scrip/order-preview';
import type { OrderResponse } from '@scrip/wire/customers';
import type { RuleAssignmentResponse } from '@scrip/wire/qualification';
import type { ExpandedCategory, renderStackingRules } from '../rendering/stacking-rules';
import type { CandidateKind } from '../candidates/candidate';

/** An assignment of a rule, with what became of the rule. Source: reference 02 §4.5. */
export interface QualifiedAssignmentResponse extends RuleAssignmentResponse {
  validation_status: 'VALID' | 'PARTIALLY_VALID';
  /** Keys of rules that were not evaluated; absent for none. */
  validation_omitted_rules?: string[];
}

/** The rules that hold for a redeemable. */
export interface QualifiedAssignmentsResponse {
  object: 'list';
  data_ref: 'data';
  data: QualifiedAssignmentResponse[];
  total: number;
}

/** What `options.expand` adds to a redeemable. */
export interface ExpandedQualifiedResponse {
  name?: string;
  banner?: string;
  metadata?: object;
  campaign_name?: string;
  campaign_id?: string;
  categories?: ExpandedCategory[];
  validation_rules_assignments?: QualifiedAssignmentsResponse;
}

/** A tier of a stack that qualifies. Amounts accumulate. */
export interface QualifiedPartResponse extends ExpandedQualifiedResponse {
  id: string;
  object: 'promotion_tier';
  created_at: string;
  result: object;
  order?: OrderResponse;
  applicable_to: Qualified['applicable_to'];
  inapplicable_to: Qualified['inapplicable_to'];
}

/** A redeemable that qualifies, as if it alone were applied. */
export interface QualifiedResponse extends ExpandedQualifiedResponse {
  /** Of a voucher its code. */
  id: string;
  object: CandidateKind;
  created_at: string;
  result?: object;
  /** Absent where the request has no order. */
  order?: OrderResponse;
  applicable_to?: Qualified['applicable_to'];
  inapplicable_to?: Qualified['inapplicable_to'];
  /** The tiers of a stack. */
  redeemables?: QualifiedPartResponse[];
}

/** Answer of a qualification. Source: reference 02 §8. */
export interface QualificationResponse {
  redeemables: {
    object: 'list';
    data_ref: 'data';
    data: QualifiedResponse[];
    /** Redeemables of this answer. */
    total: number;
    has_more: boolean;
    /** What the next page is asked for with. */
    more_starting_after?: string;
  };
  /** Recognises the customer in later calls; browsers are not told. */
  tracking_id?: string;
  /** The lines of the request with their records, without amounts. */
  order?: object;
  stacking_rules: ReturnType<typeof renderStackingRules>;
}
