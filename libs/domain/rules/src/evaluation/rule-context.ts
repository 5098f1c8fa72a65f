import type { OrderState } from '@scrip/order-calculation';

type Metadata = Readonly<Record<string, unknown>>;

/** Everything that rules may look at, loaded before. What is null does not exist in this context, and rules about it
 *  fail. Source: reference 02 §4.1. */
export interface RuleContext {
  readonly now: Date;
  /** IANA name of the project's time zone. */
  readonly timezone: string;
  readonly customer: {
    /** Ids of the segments that hold the merged profile. */
    readonly segments: readonly string[];
    /** Ids of the loyalty tiers held. */
    readonly tiers: readonly string[];
    /** Stored metadata under that of the request. */
    readonly metadata: Metadata;
    /** Whether the customer holds the voucher; false where there is no code yet. */
    readonly holdsVoucher: boolean;
  } | null;
  readonly order: {
    /** Before any incentive of the request. */
    readonly initial: OrderState;
    /** When the incentive is reached. */
    readonly before: OrderState;
    /** After its effect; null as long as that is not computed. */
    readonly after: OrderState | null;
    readonly metadata: Metadata;
  } | null;
  readonly redemption: {
    /** That of the request. */
    readonly metadata: Metadata;
    /** Application id of the calling key. */
    readonly apiKeyId: string | null;
    /** Login of the calling team member. */
    readonly userLogin: string | null;
    /** Points this redemption spends; null where no points are. */
    readonly pointsUsed: number | null;
    /** Gift credits this redemption spends, minor units. */
    readonly giftAmount: number;
  } | null;
  readonly customEvent: { readonly metadata: Metadata } | null;
  /** The count or sum (minor units) that a rule of §3.3 limits, by the rule's name, without what is judged now but with
   *  earlier incentives of the same request. */
  readonly counted: (ruleName: string) => number;
}
