import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { HeldBy } from '@scrip/claims';
import type { RedeemableVoucher, VoucherEvent } from '@scrip/contracts/campaigns';
import type { HoldingOwner, HoldRequest, OwnerRefusal } from '@scrip/contracts/claims';
import type { Instant } from '@scrip/contracts/snapshot';
import {
  type AggregateStore,
  type EventStore,
  InjectEventStore,
  type Loaded,
  type RowChange,
  runQuery,
} from '@scrip/event-store';
import {
  type BusinessClock,
  halfForEach,
  isRefused,
  newId,
  notFound,
  type RequestContext,
  Turns,
} from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import { wasRolledBack } from '../commits/repeating';
import { Redeemables } from '../voucher/redeemables';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { voucherNotFound, type VoucherState } from '../voucher/voucher.decider';
import { decideExpiry, decideHold, decideRelease, isLive } from './hold.decider';
import { claimOfHold } from './hold-claims.reads';
import { forgetClaimed, type HoldsBeside, readHoldsBeside } from './hold.table';
import { holdRows, type StoredHold } from './stored-hold';

type Refused = Awaited<ReturnType<HoldingOwner<RedeemableVoucher>['hold']>>['refused'];

/** Holds of a process that are written at one time, and that wait: connections are left to redemptions. */
const turnSizes = { turns: halfForEach(4), places: halfForEach(2_000) };
const patienceMs = 5_000;
const triesMax = 5;

/** What vouchers are locked for: nothing of them changes before the transaction ends. */
interface Locked {
  states: ReadonlyMap<string, Loaded<VoucherState>>;
  beside: ReadonlyMap<string, HoldsBeside>;
}

interface Change {
  voucherId: string;
  events: readonly VoucherEvent[];
  rows: readonly RowChange[];
}

/** What sessions hold of vouchers. A session's key is locked first, then vouchers in the order of their ids; a hold is written under the
 *  lock of its voucher alone. Source: reference 03 §8. */
@Injectable()
export class VoucherHolds {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;
  private readonly turns = new Turns(turnSizes, 'too many sessions are being established');

  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectEventStore('campaigns') private readonly store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly redeemables: Redeemables,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** Holds all vouchers or none, in place of what the session held; see `HoldingOwner`. */
  async hold(context: RequestContext, request: HoldRequest): Promise<{ refused: Refused }> {
    const refused = await this.inTurn(context, (manager) => this.holdAll(manager, context, request));
    if (refused.length === 0) return { refused: [] };
    const ids = refused.map(({ object_id }) => object_id);
    const facts = await this.redeemables.load(context, ids, request.session);
    return {
      refused: refused.map((one, place) => {
        const found = facts[place];
        return { ...one, facts: found && !isRefused(found) ? (found as RedeemableVoucher) : null };
      }),
    };
  }

  /** Ends what a session holds of one voucher. Refuses `not_found` for an unknown or expired session. `held`: a redemption that is under
   *  way uses it up. */
  release(
    context: RequestContext,
    { voucherId, session }: { voucherId: string; session: string },
  ): Promise<HeldBy | { refusal: OwnerRefusal | null }> {
    return this.inTurn(context, async (manager) => {
      const { states, beside } = await this.lock(manager, context, { ids: [voucherId], session });
      const own = beside.get(voucherId)?.own;
      const now = this.now(context);
      const unknown = { refusal: notFound('session', session) };
      if (!own || !isLive(own, now)) return unknown;
      if (own.claim_id !== null) {
        const claim = await claimOfHold(manager, context.project.id, own);
        return claim ? { held: [claim] } : unknown;
      }
      const events = decideRelease({ own, cause: 'RELEASED', now }, states.get(voucherId)!.state.holds);
      const rows = [holdRows.ended(context.project.id, own)];
      await this.commit(manager, context, { states, changes: [{ voucherId, events, rows }] });
      return { refusal: null };
    });
  }

  /** Takes expired holds out of vouchers. Returns how many vouchers changed. */
  dropExpired(context: RequestContext, ids: readonly string[]): Promise<number> {
    return this.inTurn(context, async (manager) => {
      const { states, beside } = await this.lock(manager, context, { ids, session: null });
      const now = this.now(context);
      const changes = [...states].flatMap(([voucherId, { state }]): Change[] => {
        const { expired } = beside.get(voucherId)!;
        const events = decideExpiry({ expired, now }, state);
        const rows = expired.holds.map((hold) => holdRows.ended(context.project.id, hold));
        return events.length > 0 ? [{ voucherId, events, rows }] : [];
      });
      await this.commit(manager, context, { states, changes });
      return changes.length;
    });
  }

  private async holdAll(
    manager: EntityManager,
    context: RequestContext,
    { session, expires_at, objects }: HoldRequest,
  ): Promise<Omit<Refused[number], 'facts'>[]> {
    const projectId = context.project.id;
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `scrip.session\n${projectId}\n${session}`,
    ]);
    const ids = objects.map(({ object_id }) => object_id);
    const { states, beside } = await this.lock(manager, context, { ids, session, heldToo: true });
    const now = this.now(context);
    const refused: Omit<Refused[number], 'facts'>[] = [];
    const changes: Change[] = [];
    for (const { object_id: voucherId, asks } of objects) {
      const stored = states.get(voucherId);
      const { own, expired } = beside.get(voucherId) ?? { own: null, expired: { holds: [], next: null } };
      const counted = own && own.claim_id === null ? own : null;
      const events = stored
        ? decideHold({ asks, own: counted, expired, expires_at, now }, stored.state)
        : voucherNotFound(voucherId);
      if (isRefused(events)) {
        refused.push({ object_id: voucherId, refusal: events as OwnerRefusal });
        continue;
      }
      const credits = asks.credits ?? 0;
      const hold = {
        voucher_id: voucherId,
        session_key: session,
        generation: newId('hold_'),
        claim_id: null,
      };
      const held = holdRows.held(projectId, { ...hold, uses: asks.uses, credits, expires_at });
      const gone =
        events.length > 1 ? expired.holds.map((expiredHold) => holdRows.ended(projectId, expiredHold)) : [];
      changes.push({ voucherId, events, rows: [...gone, held] });
    }
    if (refused.length > 0) return refused;
    const others = [...beside].filter(([voucherId]) => !ids.includes(voucherId));
    const replaced = others.flatMap(([voucherId, { own }]) => (own ? [{ voucherId, own }] : []));
    changes.push(...this.replaced(projectId, replaced, { states, now }));
    await this.commit(manager, context, { states, changes });
    await forgetClaimed(manager, projectId, replaced);
    return [];
  }

  /** What the session held of vouchers that it does not ask for again. */
  private replaced(
    projectId: string,
    replaced: readonly { voucherId: string; own: StoredHold }[],
    { states, now }: Pick<Locked, 'states'> & { now: Instant },
  ): Change[] {
    return replaced.flatMap(({ voucherId, own }) => {
      const stored = states.get(voucherId);
      if (!stored || own.claim_id !== null) return [];
      const events = decideRelease({ own, cause: 'REPLACED', now }, stored.state.holds);
      return [{ voucherId, events, rows: [holdRows.ended(projectId, own)] }];
    });
  }

  /** Locks vouchers in the order of their ids, and reads what decides about holds on them. `heldToo`: those that the session holds are
   *  among them. */
  private async lock(
    manager: EntityManager,
    { project }: RequestContext,
    { ids, session, heldToo }: { ids: readonly string[]; session: string | null; heldToo?: true },
  ): Promise<Locked> {
    const rows = await runQuery<{ id: string }>(
      manager,
      `SELECT id FROM vouchers WHERE project_id = $1 AND id IN (
         SELECT unnest($2::text[]) UNION SELECT voucher_id FROM voucher_holds WHERE project_id = $1 AND session_key = $3)
       ORDER BY id FOR NO KEY UPDATE`,
      [project.id, ids, heldToo ? session : null],
    );
    const vouchers = rows.map(({ id }) => id);
    const states = await this.vouchers.loadMany(project.id, vouchers, manager);
    const now = this.clock.now(project).toISOString();
    const beside = await readHoldsBeside(manager, { projectId: project.id, vouchers, session }, now);
    return { states, beside };
  }

  private async commit(
    manager: EntityManager,
    context: RequestContext,
    { states, changes }: Pick<Locked, 'states'> & { changes: readonly Change[] },
  ): Promise<void> {
    if (changes.length === 0) return;
    await this.vouchers.commitMany(
      manager,
      context,
      changes.map(({ voucherId, events, rows }) => {
        const { state, version, epoch, basis } = states.get(voucherId)!;
        const expected = { expectedVersion: version, expectedEpoch: epoch, expectedBasis: basis };
        return { streamId: voucherId, state, ...expected, events, rows };
      }),
    );
  }

  private async inTurn<T>(
    { project }: RequestContext,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    const end = await this.turns.take(project.id, patienceMs);
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          const done = await this.dataSource.transaction(work);
          this.store.wakeReaders();
          return done;
        } catch (error) {
          // After a lost commit a release would find no session any more, and be refused.
          if (!wasRolledBack(error) || tries === triesMax) throw error;
        }
      }
    } finally {
      end();
    }
  }

  private now({ project }: RequestContext): Instant {
    return this.clock.now(project).toISOString();
  }
}
