import type { RefundRequest } from '@scrip/contracts/claims';
import type { RequestContext } from '@scrip/kernel';
import type { OwnerRefusal } from '@scrip/contracts/claims';
import type { ClaimRow, NewClaim, ObjectClaim, ProvisionalClaim } from './claim-state';
import type { LostClaim } from './claim.table';

/** What became of taking. `contended`: provisional claims of others may be why it is refused. `repeated`: the claim has a
 *  row already, or what it was decided on is no longer so: it is tried again unless it has. */
export type Taken<Granted> =
  { granted: Granted } | { refusal: OwnerRefusal; contended: boolean } | { repeated: true };

/** Whether a refusal still stands. `free`: what was asked may be taken now. `final`: the refusal would stand without any
 *  provisional claim. `held`: it stands because of these provisional claims. */
export type Contention = { now: 'free' | 'final' } | { now: 'held'; by: ProvisionalClaim[] };

/** Provisional claims that keep a write from their object. */
export interface HeldBy {
  held: ProvisionalClaim[];
}

/** What became of a refund. */
export type RefundEnd<Granted> = { granted: Granted } | { refusal: OwnerRefusal } | HeldBy;

/** What claims do to the objects of one owner. Everything else about claims is this library's.
 *  `Facts`, `Granted`: see `Participant`. Source: architecture §8. */
export interface ClaimEffect<Facts, Granted> {
  /** `session`: the caller's, whose own holds do not block it. */
  load(
    context: RequestContext,
    objects: readonly string[],
    session?: string,
  ): Promise<(Facts | OwnerRefusal)[]>;
  /** Makes a claim, and reverts or tombstones those it replaces, in one statement. */
  take(context: RequestContext, claim: NewClaim): Promise<Taken<Granted>>;
  /** Returns the first answer of a claim that was not reverted. */
  grantedAgain(context: RequestContext, row: ClaimRow): Promise<Granted>;
  /** Decides as of one moment. */
  contention(context: RequestContext, claim: NewClaim): Promise<Contention>;
  /** Confirms provisional claims; returns those that cannot be confirmed because they are unknown or reverted. */
  confirm(context: RequestContext, claims: readonly ObjectClaim[]): Promise<LostClaim[]>;
  /** Reverts provisional claims and leaves tombstones for unknown ones. */
  revert(context: RequestContext, claims: readonly ObjectClaim[]): Promise<void>;
  /** Gives a claim back that is no longer provisional. */
  refund(context: RequestContext, refund: RefundRequest): Promise<RefundEnd<Granted>>;
  /** The refusal `multiple_requests` of an object. */
  inUse(objectId: string): OwnerRefusal;
  /** The context of work that no caller waits for; undefined for a project that does not exist. */
  contextOf(projectId: string): Promise<RequestContext | undefined>;
}
