import type { Refusal } from '@scrip/kernel/pure';
import type {
  CalculationContext,
  OrderState,
  PromotionStack,
  Redeemable,
  StackingSettings,
} from '@scrip/order-calculation';
import type { CompiledRule, RuleContext, RuleWording } from '@scrip/rules';

/** Who redeems, as rules see it; whether the customer holds a voucher depends on the voucher. */
export type RequestingCustomer = Omit<NonNullable<RuleContext['customer']>, 'holdsVoucher'>;

/** A redeemable, and everything besides the order that decides whether it may be used. */
export interface Candidate {
  readonly redeemable: Omit<Redeemable, 'scope' | 'bundle'>;
  /** The id under which limits count it; absent: that of the redeemable, which for vouchers is the code. */
  readonly objectId?: string;
  /** Its own rules and its campaign's, in assignment order. */
  readonly rules: readonly CompiledRule[];
  /** What refusals call it. */
  readonly label: RuleWording['label'];
  /** The refusal that does not depend on the order: unknown, switched off, outside its dates, used up. */
  readonly unusable: Refusal<string> | null;
  /** Whether the customer holds the voucher. */
  readonly isHeld: boolean;
  /** Redemptions, amounts and credits that its limits have counted before this request, by the rule's name. */
  readonly counted: (ruleName: string) => number;
}

/** Several tiers that are asked for under one name. */
export type CandidateStack = Omit<PromotionStack, 'tiers'> & { readonly tiers: readonly Candidate[] };

/** What names a redeemable in a request: one request names none twice. */
export const redeemableKey = ({ object, id }: Pick<Redeemable, 'object' | 'id'>): string => `${object} ${id}`;

/** What a request asks for, stacks as their tiers, in request order. */
export const candidatesIn = (requested: readonly (Candidate | CandidateStack)[]): readonly Candidate[] =>
  requested.flatMap((one) => ('tiers' in one ? one.tiers : [one]));

/** A request with everything that was loaded for it. `context`: what calculation and rules read alike. A redeemable is
 *  named once, and the project's `redeemables_limit` is kept: the caller checks both before it loads anything.
 *  Source: reference 03 §3.1. */
export interface EvaluationRequest {
  /** Null: the request has none. */
  readonly order: OrderState | null;
  readonly requested: readonly (Candidate | CandidateStack)[];
  readonly settings: StackingSettings;
  readonly customer: RequestingCustomer | null;
  readonly redemption: Pick<NonNullable<RuleContext['redemption']>, 'metadata' | 'apiKeyId' | 'userLogin'>;
  readonly orderMetadata: Readonly<Record<string, unknown>>;
  /** The project's own texts by error key. */
  readonly messages: Readonly<Record<string, string>>;
  readonly context: Required<
    Pick<CalculationContext, 'now' | 'timezone' | 'catalogue' | 'unitsUsed' | 'facts'>
  >;
}
