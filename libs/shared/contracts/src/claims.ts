import { answersInParts } from './answers-in-parts';
import type { Refusal, RequestContext } from '@scrip/kernel';
import type { OrderDifference } from '@scrip/order-calculation';
import type { UsabilityRefusalKey } from '@scrip/vouchers';
import type { OrderSnapshot } from './customers/order.snapshot';
import type { Instant } from './snapshot';

/** The coordinator's decision on one redemption, written once. `claims`: the claim ids that a RECORDED outcome
 *  confirms. Source: architecture §8. */
export interface Outcome {
  redemption_id: string;
  verdict: 'RECORDED' | 'ABANDONED';
  claims: string[];
}

/** Names a claim among all claims of its redemption. */
export interface ClaimKey {
  redemption_id: string;
  claim_id: string;
}

/** The coordinator's decision on one claim. Of a RECORDED redemption only the listed claims are RECORDED; every other
 *  claim is ABANDONED. Source: architecture §8. */
export interface Verdict extends ClaimKey {
  verdict: 'RECORDED' | 'ABANDONED';
}

/** A verdict with the object that the claim is on, so that an owner which never saw the claim can refuse it later. */
export interface ObjectVerdict extends Verdict {
  object_id: string;
}

/** What credits are spent on: the redemption, of a stack the card's own one, and the order that they pay. */
export interface SpentOn {
  redemption_id: string;
  order: { id: string; source_id: string | null } | null;
}

/** What a claim wants from its object. Every owner serves some of these, and throws for the others.
 *  `uses`: of a voucher. `customer_id`: who uses a referral code, null for none. `credits`: minor units of a gift card, beside its use; `spent_on` goes with them. `points`: of a loyalty card. `hold`: the
 *  session whose hold on the object the claim uses up; what it holds does not block the claim. `order`: holds an order and stores what it becomes; `base_version` null: it is
 *  new; `after`: the claim of the provisional change that it builds on, see `StoredOrder`. */
export interface ClaimAsks {
  uses?: 1;
  customer_id?: string | null;
  credits?: number;
  spent_on?: SpentOn;
  points?: number;
  hold?: { session: string };
  order?: { order: OrderSnapshot; base_version: number | null; after?: string };
}

/** One promise asked of an owner under (redemption id, claim id). A repeat under the same ids gets the first answer
 *  again. `replaces`: claim ids on the same object that were lost or no longer fit. The owner reverts them, or
 *  refuses them for ever, in the statement that makes this claim. Source: architecture §8. */
export interface ClaimRequest {
  claim_id: string;
  object_id: string;
  asks: ClaimAsks;
  replaces?: string[];
}

/** The claims of one redemption at one owner. `at_refusal` STOP: claims after the first refusal are not tried and have no
 *  answer. CONTINUE: every claim has an answer. */
export interface ClaimsRequest {
  redemption_id: string;
  claims: ClaimRequest[];
  at_refusal: 'STOP' | 'CONTINUE';
}

/** What owners refuse with. An owner that adds a key gives it a status where redemptions are answered: the table there is
 *  complete, or it does not compile. Source: reference 03 §4.3, §9. */
export type OwnerRefusalKey =
  | UsabilityRefusalKey
  | 'already_rolled_back'
  | 'claim_abandoned'
  | 'gift_amount_exceeded'
  | 'invalid_order'
  | 'invalid_payload'
  | 'multiple_requests'
  | 'not_found';

/** An owner's refusal. */
export type OwnerRefusal = Refusal<OwnerRefusalKey>;

/** The owner's answer to a claim. `granted`: JSON that the owner explains and the coordinator records. `facts`: what the
 *  refusal was decided on, as `load` returns it, for another evaluation; null where the object does not exist or the
 *  refusal is not about the object's state. */
export type Claimed<Granted, Facts> =
  { claim_id: string; granted: Granted } | { claim_id: string; refusal: OwnerRefusal; facts: Facts | null };

/** What a rollback wants from an order. `difference`: what the redemption did to it; used where the order itself does not
 *  say it. */
export interface OrderRefund {
  mode: 'WITH_ORDER' | 'WITHOUT_ORDER';
  rolled_back_at: string;
  rollback_stacked?: string[];
  difference: OrderDifference;
}

/** A claim to give back because its redemption is rolled back. Repeating it changes nothing. `order`: on orders only. */
export interface RefundRequest extends ClaimKey {
  object_id: string;
  rollback_id: string;
  order?: OrderRefund;
}

/** The owner's answer to a refund: the object as it stands after it. */
export type Refunded<Granted> = { claim_id: string } & ({ granted: Granted } | { refusal: OwnerRefusal });

/** Holds that a session asks for at one owner, in place of all that it holds there. `expires_at`: from then on they block no
 *  request. Source: reference 03 §8. */
export interface HoldRequest {
  session: string;
  expires_at: Instant;
  objects: { object_id: string; asks: HoldAsks }[];
}

/** What a session holds of one object. `credits`: of a gift card, minor units. */
export type HoldAsks = Required<Pick<ClaimAsks, 'uses'>> & Pick<ClaimAsks, 'credits'>;

/** An object that cannot be held. `facts`: as of a refused claim. */
export interface RefusedHold<Facts> {
  object_id: string;
  refusal: OwnerRefusal;
  facts: Facts | null;
}

/** An owner whose objects sessions can hold. */
export interface HoldingOwner<Facts = unknown> {
  /** Holds all objects or none. `refused` empty: all are held. Repeating it renews the session. */
  hold(context: RequestContext, request: HoldRequest): Promise<{ refused: RefusedHold<Facts>[] }>;
}

/** An owner of redeemables of which nothing is claimed. `Facts`: an object as evaluation reads it. Source: architecture §8. */
export interface RedeemableSource<Facts = unknown> {
  /** Returns the first of the objects in the order asked, as many as fit one answer and at least one; `not_found` for each that does
   *  not exist. `loadAll` asks for all. `session`: the caller's, whose own holds do not block it. */
  load(
    context: RequestContext,
    request: { objects: string[]; session?: string },
  ): Promise<(Facts | OwnerRefusal)[]>;
}

/** Loads all of these objects from their owner: by one call, or several where they are large. `session`: as of `load`. */
export const loadAll = <Facts>(
  source: Pick<RedeemableSource<Facts>, 'load'>,
  context: RequestContext,
  objects: readonly string[],
  session: string | null = null,
): Promise<(Facts | OwnerRefusal)[]> =>
  answersInParts(objects, (part) =>
    source.load(context, { objects: [...part], ...(session === null ? {} : { session }) }),
  );

/** The contract between redeeming and an owner of redeemables that are claimed. `Granted`: what a claim or refund returns.
 *  Source: architecture §8. */
export interface Participant<Facts = unknown, Granted = unknown> extends RedeemableSource<Facts> {
  /** Decides each claim again on its object and takes what it asks, provisionally. Claims are taken in one global order
   *  (object id). Refuses as the object's rules say, `multiple_requests` while a young rival claim holds what is
   *  asked, and `claim_abandoned` for a claim that was reverted before it came. */
  claim(context: RequestContext, request: ClaimsRequest): Promise<Claimed<Granted, Facts>[]>;

  /** Confirms RECORDED claims and reverts ABANDONED ones. Idempotent. An unknown ABANDONED claim is refused from then
   *  on. */
  settle(context: RequestContext, request: { verdicts: ObjectVerdict[] }): Promise<null>;

  /** Gives back confirmed claims. Idempotent by claim. Refuses `claim_abandoned` for claims that were never
   *  confirmed. */
  refund(context: RequestContext, request: { claims: RefundRequest[] }): Promise<Refunded<Granted>[]>;
}

/** The methods of a participant, for `definePort`. */
export const participantMethods = [
  'load',
  'claim',
  'settle',
  'refund',
] as const satisfies (keyof Participant)[];

/** The object whose stream a call of a participant writes first, for `definePort`: calls for one object meet at one replica
 *  of its owner. */
export const participantStreams = {
  claim: ({ claims: [first] }: ClaimsRequest): string | undefined => first?.object_id,
  settle: ({ verdicts: [first] }: { verdicts: ObjectVerdict[] }): string | undefined => first?.object_id,
  refund: ({ claims: [first] }: { claims: RefundRequest[] }): string | undefined => first?.object_id,
} as const satisfies Partial<Record<keyof Participant, unknown>>;
