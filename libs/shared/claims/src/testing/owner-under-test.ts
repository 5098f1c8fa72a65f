import type { ClaimAsks, Participant, RefundRequest } from '@scrip/contracts/claims';
import type { RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { ObjectClaim } from '../claim-state';
import type { SettlementLoop } from '../settlement-loop';
import type { FakeCoordinator } from './fake-coordinator';

/** An owner as the suite uses it, on a database of its own. */
export interface OwnerUnderTest {
  participant: Pick<Participant, 'claim' | 'settle' | 'refund'>;
  loop: SettlementLoop;
  coordinator: FakeCoordinator;
  dataSource: DataSource;
  /** The table of its claims. */
  table: string;
  /** How many claims fit on one object at most. */
  atOnce: number;
  /** What a claim is refused when confirmed claims have taken everything. */
  refusedWhenTaken: string;
  /** A caller with ten seconds. */
  context(): RequestContext;
  /** A new object on which `count` claims fit, at most `atOnce`. */
  objectFor(count: number): Promise<string>;
  /** What the redemption asks of the object as it is now. */
  asks(objectId: string, redemptionId: string): Promise<ClaimAsks>;
  refund(claim: ObjectClaim): Promise<RefundRequest>;
  /** How many claims the object shows as taken. */
  taken(objectId: string): Promise<number>;
  /** How many RECORDED claims in that state the owner's metrics count as lost. */
  lost(state: 'UNKNOWN' | 'REVERTED'): Promise<number>;
}
