import { Injectable } from '@nestjs/common';
import type { RedemptionSnapshot } from '@scrip/contracts/qualification';
import { VersionConflict } from '@scrip/event-store';
import { type RequestContext, isRefused } from '@scrip/kernel';
import { RedemptionReads } from '../redemption/redemption.reads';
import type { RedemptionState } from '../redemption/redemption.aggregate';
import { RollbackRefunds } from './rollback-refunds';
import { rollbackRow } from './rollback.table';
import { type Returned, type Undone, rolledBack, undoneBy } from './rollback.decider';

/** A rollback that is done. `children`: those of a stack, in the order of application; null for a single. */
export interface FinishedRollback {
  rollback: RedemptionSnapshot;
  children: RedemptionSnapshot[] | null;
}

type End = Undone & { returned: Returned };

/** Each lost race means that another process ended the rollback, or recorded refused rollbacks on it. */
const endTries = 20;

/** The rollback under way or done, which must be the expected one. */
const rollbackIn = (state: RedemptionState | undefined, { rollback }: Undone) => {
  if (state?.rollback?.rollback.id === rollback.id) return state.rollback;
  throw new Error(`rollback ${rollback.id} vanished from ${rollback.redemption}`);
};

/** Brings started rollbacks to their end. Source: architecture §8 Rollback, reference 03 §9. */
@Injectable()
export class RollbackFinisher {
  constructor(
    private readonly redemptions: RedemptionReads,
    private readonly refunds: RollbackRefunds,
  ) {}

  /** Gives everything back that a started rollback owes and ends it, a stack as a whole; repeating it changes nothing.
   *  Throws `Fault` where an owner is away: the rollback stays started. */
  async finish(context: RequestContext, state: RedemptionState): Promise<FinishedRollback> {
    const children = await this.childrenOf(context, state);
    const started = state.rollback!;
    if (started.finished) {
      return {
        rollback: started.rollback,
        children: children?.map(({ rollback }) => rollback!.rollback) ?? null,
      };
    }
    const undone = undoneBy(state, children ?? []);
    const returned = await this.refunds.giveBack(context, undone);
    const ends = undone.map((one, index): End => ({ ...one, returned: returned[index]! }));
    if (children) return this.endStack(context, ends);
    return { rollback: await this.endSingle(context, ends[0]!), children: null };
  }

  private async childrenOf(
    context: RequestContext,
    { redemption }: RedemptionState,
  ): Promise<RedemptionState[] | null> {
    if (!redemption.stacked) return null;
    const children = await this.redemptions.redemptions(context, redemption.stacked);
    if (children.length < redemption.stacked.length) throw new Error(`${redemption.id} lost a child`);
    return children;
  }

  private async endSingle(context: RequestContext, end: End): Promise<RedemptionSnapshot> {
    const ended = await this.redemptions.store.execute<RedemptionSnapshot>({
      context,
      streamId: end.state.redemption.id,
      decide: (current) => {
        const { finished, rollback } = rollbackIn(current, end);
        if (finished) return { events: [], answer: rollback };
        const event = rolledBack(current!, rollback, end.returned);
        const done = event.data.rollback;
        return { events: [event], rows: [rollbackRow(context.project.id, done)], answer: done };
      },
    });
    if (isRefused(ended))
      throw new Error(`rollback ${end.rollback.id} was refused at its end: ${ended.refused}`);
    return ended;
  }

  /** The parent and its children, in one transaction: no reader sees a stack that is undone in part. */
  private async endStack(context: RequestContext, ends: readonly End[]): Promise<FinishedRollback> {
    const ids = ends.map(({ state }) => state.redemption.id);
    for (let tries = 1; ; tries += 1) {
      const stored = await this.redemptions.store.loadMany(context.project.id, ids);
      const current = ids.map((id) => stored.get(id)!);
      if (rollbackIn(current[0]?.state, ends[0]!).finished) {
        return stackOf(current.map(({ state }) => state.rollback!.rollback));
      }
      const changes = ends.map(({ rollback, returned }, index) => {
        const { state, version, epoch } = current[index]!;
        const event = rolledBack(state, rollback, returned);
        const rows = [rollbackRow(context.project.id, event.data.rollback)];
        const expected = { expectedVersion: version, expectedEpoch: epoch };
        return { streamId: ids[index]!, ...expected, state, events: [event], rows };
      });
      try {
        await this.redemptions.store.commitMany(null, context, changes);
        return stackOf(changes.map(({ events: [event] }) => event!.data.rollback));
      } catch (error) {
        if (!(error instanceof VersionConflict) || tries === endTries) throw error;
      }
    }
  }
}

const stackOf = ([rollback, ...children]: RedemptionSnapshot[]): FinishedRollback => ({
  rollback: rollback!,
  children,
});
