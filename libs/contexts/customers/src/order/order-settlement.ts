import type { LostClaim } from '@scrip/claims';
import { StaleRow, UniqueViolation, VersionConflict, classifyDatabaseError } from '@scrip/event-store';
import { Fault } from '@scrip/kernel';
import type { OpenOrderClaim, OrderClaim, OrderClaimKey } from './order-claim';
import type { OrderClaimTable } from './order-claim.table';
import type { OrderWriter } from './order-writer';

/** Others settle too; each failed try means that one of them was first. */
const settleTries = 3;

const wasSettledMeanwhile = (error: unknown): boolean =>
  error instanceof StaleRow ||
  error instanceof VersionConflict ||
  error instanceof UniqueViolation ||
  classifyDatabaseError(error).kind === 'unique' ||
  (error instanceof Fault && classifyDatabaseError(error.cause).kind === 'transient');

const inOrderOfIds = (a: OrderClaim, b: OrderClaim): number => (a.object_id < b.object_id ? -1 : 1);

const isOpen = (claim: OrderClaim): claim is OpenOrderClaim => claim.kept !== null && claim.context !== null;

/** Confirms and reverts claims on orders: appends the events of recorded ones, drops the others.
 *  Source: architecture §8. */
export class OrderSettlement {
  constructor(
    private readonly writer: OrderWriter,
    private readonly table: OrderClaimTable,
  ) {}

  /** Idempotent. */
  async revert(claims: readonly OrderClaimKey[]): Promise<void> {
    for (let tries = 1; claims.length > 0; tries++) {
      try {
        return await this.table.revert(claims);
      } catch (error) {
        // A late claim arrived while its tombstone was written: the next round finds and reverts it.
        if (!wasSettledMeanwhile(error) || tries === settleTries) throw error;
      }
    }
  }

  /** Idempotent; as many at once as may be in memory. Returns the claims that are unknown or reverted. Continues after one
   *  that cannot be confirmed, and throws its error at the end. */
  async confirm(keys: readonly OrderClaimKey[]): Promise<LostClaim[]> {
    const failures: unknown[] = [];
    for (let left = keys; left.length > 0;) {
      const claims = await this.provisional(left);
      if (claims.length === 0) break;
      await this.confirmTogether(claims, failures);
      const done = new Set(claims.map(({ claim_id }) => claim_id));
      left = left.filter(({ claim_id }) => !done.has(claim_id));
    }
    if (failures.length > 0) throw failures[0];
    const states = await this.table.states(keys);
    return states.filter(
      (claim): claim is LostClaim => claim.state === 'UNKNOWN' || claim.state === 'REVERTED',
    );
  }

  private async confirmTogether(claims: readonly OpenOrderClaim[], failures: unknown[]): Promise<void> {
    try {
      await this.append(claims);
    } catch (error) {
      // PostgreSQL is away: later, all of them.
      if (error instanceof Fault && !wasSettledMeanwhile(error)) throw error;
      // Some are settled by now, or one cannot be stored: one by one, so that none stops the others.
      const ends = await Promise.allSettled(claims.map((claim) => this.confirmAlone(claim)));
      for (const end of ends) if (end.status === 'rejected') failures.push(end.reason);
    }
  }

  private async confirmAlone(key: OrderClaimKey): Promise<void> {
    for (let tries = 1; ; tries++) {
      const claims = await this.provisional([key]);
      if (claims.length === 0) return;
      try {
        return await this.append(claims);
      } catch (error) {
        if (!wasSettledMeanwhile(error) || tries === settleTries) throw error;
      }
    }
  }

  private async provisional(keys: readonly OrderClaimKey[]): Promise<OpenOrderClaim[]> {
    return (await this.table.provisional(keys)).filter(isOpen);
  }

  private async append(claims: readonly OpenOrderClaim[]): Promise<void> {
    for (const projectId of new Set(claims.map(({ project_id }) => project_id))) {
      const own = claims.filter(({ project_id }) => project_id === projectId);
      await this.writer.confirm(own.sort(inOrderOfIds));
    }
  }
}
