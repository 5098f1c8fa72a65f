import type { OwnerRefusalKey, RefundRequest } from '@scrip/contracts/claims';
import {
  type AggregateStore,
  type Decision,
  type EventData,
  type RowChange,
  StaleRow,
  UniqueViolation,
  runQuery,
  stateAfter,
  stateOf,
  stateSource,
} from '@scrip/event-store';
import { type RequestContext, isRefused } from '@scrip/kernel';
import type { OwnerRefusal } from '@scrip/contracts/claims';
import type { ClaimEffect, Contention, RefundEnd, Taken } from './claim-effect';
import {
  type ClaimDecision,
  type ClaimRules,
  refundClaim,
  revertClaim,
  takeNew,
  takeReplacing,
} from './claim-rules';
import type { ClaimRow, NewClaim, ObjectClaim, ProvisionalClaim } from './claim-state';
import type { ClaimTable, LostClaim } from './claim.table';

/** What a stream owner adds to its rules. `rules`: those of this moment; they know the time. `around`: what else decides
 *  about a claim; undefined where there is no such object. Rows that it read and that the rules change name in `expect` what they were:
 *  where they are otherwise, the claim is decided on again. `granted`: the answer of a claim, from the state and what the
 *  claim kept. `contended`: refusals that provisional claims may be the reason of. `outdated`: removes from an object what time has
 *  ended and what a claim may be refused because of; true where there was something. */
export interface StreamEffectOptions<State, Event extends EventData, Around, Facts, Granted> {
  store: AggregateStore<State, Event>;
  table: ClaimTable;
  rules(context: RequestContext): Omit<ClaimRules<State, Event, Around>, 'evolve'>;
  contended: readonly string[];
  around(context: RequestContext, claim: NewClaim): Promise<Around | undefined>;
  outdated?(context: RequestContext, objectId: string, state: State): Promise<boolean>;
  granted(state: State, kept: object | null): Granted;
  /** The answer of a refund, from the state and what the claim keeps after it; by default as `granted` of nothing kept. */
  refunded?(state: State, kept: object | null): Granted;
  /** Rows that are written with events, in their statement. */
  rowsOf?(projectId: string, events: readonly Event[]): RowChange[];
  notFound(objectId: string): OwnerRefusal;
  inUse(objectId: string): OwnerRefusal;
  load(
    context: RequestContext,
    objects: readonly string[],
    session?: string,
  ): Promise<(Facts | OwnerRefusal)[]>;
  contextOf(projectId: string): Promise<RequestContext | undefined>;
}

type Provisional = ProvisionalClaim & { kept: object };

/** The effect of claims that change the object's stream when they are made: uses, credits, points. */
export class StreamEffect<State, Event extends EventData, Around, Facts, Granted> implements ClaimEffect<
  Facts,
  Granted
> {
  readonly load: StreamEffectOptions<State, Event, Around, Facts, Granted>['load'];
  readonly inUse: (objectId: string) => OwnerRefusal;
  readonly contextOf: (projectId: string) => Promise<RequestContext | undefined>;

  constructor(private readonly own: StreamEffectOptions<State, Event, Around, Facts, Granted>) {
    this.load = own.load;
    this.inUse = own.inUse;
    this.contextOf = own.contextOf;
  }

  /** A claim that replaces others is made under the object's lock; every other one together with all who claim the object
   *  at the moment. */
  async take(context: RequestContext, claim: NewClaim): Promise<Taken<Granted>> {
    const around = await this.own.around(context, claim);
    if (around === undefined) return { refusal: this.own.notFound(claim.object_id), contended: false };
    try {
      return await (claim.replaces.length > 0
        ? this.takeReplacing(context, claim, around)
        : this.takeNew(context, claim, around));
    } catch (error) {
      if (error instanceof StaleRow) return { repeated: true };
      throw error;
    }
  }

  private async takeNew(context: RequestContext, claim: NewClaim, around: Around): Promise<Taken<Granted>> {
    const rules = this.rulesIn(context);
    try {
      const end = await this.own.store.execute<Taken<Granted>, OwnerRefusalKey>({
        context,
        streamId: claim.object_id,
        decide: (state) => {
          if (!state) return this.own.notFound(claim.object_id);
          const { refusal, ...decision } = takeNew(rules, state, claim, around);
          if (refusal) return refusal;
          return { ...this.written(context, claim, decision), answer: this.granted(decision) };
        },
      });
      return isRefused(end) ? this.refused(end) : end;
    } catch (error) {
      if (error instanceof UniqueViolation && error.constraint === `${this.own.table.name}_pkey`)
        return { repeated: true };
      throw error;
    }
  }

  async grantedAgain({ project }: RequestContext, { object_id, kept }: ClaimRow): Promise<Granted> {
    const loaded = await this.own.store.load(project.id, object_id);
    if (!loaded) throw new Error(`a claim on ${object_id}, which does not exist`);
    return this.own.granted(loaded.state, kept);
  }

  /** Tries the claim in memory, as the object is and as it would be without its provisional claims. */
  async contention(context: RequestContext, claim: NewClaim): Promise<Contention> {
    const around = await this.own.around(context, claim);
    const { state, provisional } = await this.look(context, claim.object_id);
    if (around === undefined || !state) return { now: 'final' };
    const rules = this.rulesIn(context);
    if (!takeNew(rules, state, claim, around).refusal) return { now: 'free' };
    if (await this.own.outdated?.(context, claim.object_id, state)) return { now: 'free' };
    const events = (before: State, one: Provisional): State =>
      rules
        .giveBack(before, one, 'ABANDONED')
        .events.reduce<State>((after, event) => rules.evolve(after, event), before);
    const without = provisional.reduce(events, state);
    return takeNew(rules, without, claim, around).refusal
      ? { now: 'final' }
      : { now: 'held', by: provisional };
  }

  confirm({ project }: RequestContext, claims: readonly ObjectClaim[]): Promise<LostClaim[]> {
    return this.own.table.confirm(project.id, claims);
  }

  async revert(context: RequestContext, claims: readonly ObjectClaim[]): Promise<void> {
    const ends = await Promise.allSettled(claims.map((claim) => this.revertOne(context, claim)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async refund(context: RequestContext, refund: RefundRequest): Promise<RefundEnd<Granted>> {
    const { object_id, claim_id } = refund;
    const rules = this.rulesIn(context);
    const end = await this.own.store.executeLocked<RefundEnd<Granted>, ClaimRow, OwnerRefusalKey>({
      context,
      streamId: object_id,
      sideRows: { of: this.own.table.sideRows, ids: [claim_id] },
      decide: (state, [row]) => {
        if (!state) return this.own.notFound(object_id);
        const { refusal, ...decision } = refundClaim(rules, state, refund, row);
        if (refusal) return refusal;
        return {
          ...this.written(context, refund, decision),
          answer: { granted: this.refunded(decision) },
        };
      },
    });
    return isRefused(end) ? { refusal: end } : end;
  }

  private async takeReplacing(
    context: RequestContext,
    claim: NewClaim,
    around: Around,
  ): Promise<Taken<Granted>> {
    const { object_id, claim_id, replaces } = claim;
    const rules = this.rulesIn(context);
    const end = await this.own.store.executeLocked<Taken<Granted>, ClaimRow, OwnerRefusalKey>({
      context,
      streamId: object_id,
      sideRows: { of: this.own.table.sideRows, ids: [claim_id, ...replaces] },
      decide: (state, stored): Decision<Event, Taken<Granted>> | OwnerRefusal => {
        if (!state) return this.own.notFound(object_id);
        const rows = new Map(stored.map((row) => [row.claim_id, row]));
        if (rows.has(claim_id)) return { events: [], answer: { repeated: true } };
        const { refusal, ...decision } = takeReplacing(rules, state, claim, rows, around);
        const answer = refusal ? this.refused(refusal) : this.granted(decision);
        return { ...this.written(context, claim, decision), answer };
      },
    });
    return isRefused(end) ? this.refused(end) : end;
  }

  private async revertOne(context: RequestContext, claim: ObjectClaim): Promise<void> {
    const { object_id, claim_id } = claim;
    const rules = this.rulesIn(context);
    await this.own.store.executeLocked<null, ClaimRow>({
      context,
      streamId: object_id,
      sideRows: { of: this.own.table.sideRows, ids: [claim_id] },
      decide: (state, [row]) => {
        const decision = revertClaim(rules, state, claim, row);
        return { ...this.written(context, claim, decision), answer: null };
      },
    });
  }

  /** State and provisional claims, as of one moment. */
  private async look(
    { project }: RequestContext,
    objectId: string,
  ): Promise<{ state: State | undefined; provisional: Provisional[] }> {
    const { definition } = this.own.store;
    const { from, columns } = stateSource(definition);
    const [row] = await runQuery<Record<string, unknown> & { provisional: Provisional[] }>(
      this.own.table.dataSource,
      `SELECT ${columns}, coalesce((
         SELECT json_agg(json_build_object('object_id', c.object_id, 'claim_id', c.claim_id,
           'redemption_id', c.redemption_id, 'kept', c.kept,
           'age_ms', extract(epoch FROM clock_timestamp() - c.claimed_at) * 1000))
         FROM ${this.own.table.name} c
         WHERE c.project_id = t.project_id AND c.object_id = t.id AND c.state = 'PROVISIONAL'
       ), '[]') AS provisional
       FROM ${from} WHERE t.project_id = $1 AND t.id = $2`,
      [project.id, objectId],
    );
    if (!row) return { state: undefined, provisional: [] };
    return { state: stateOf(definition, row), provisional: row.provisional };
  }

  private rulesIn(context: RequestContext): ClaimRules<State, Event, Around> {
    const { definition } = this.own.store;
    return {
      ...this.own.rules(context),
      evolve: (state, event) => stateAfter(definition, state, event),
    };
  }

  private refused(refusal: OwnerRefusal): Taken<Granted> {
    return { refusal, contended: this.own.contended.includes(refusal.refused) };
  }

  private granted({ state, kept }: { state: State | undefined; kept?: object }): { granted: Granted } {
    return { granted: this.own.granted(state!, kept ?? null) };
  }

  private refunded({ state, kept }: { state: State | undefined; kept?: object }): Granted {
    return this.own.refunded ? this.own.refunded(state!, kept ?? null) : this.own.granted(state!, null);
  }

  private written(
    { project }: RequestContext,
    { object_id }: ObjectClaim,
    { events, moves, rows }: Pick<ClaimDecision<State, Event>, 'events' | 'moves' | 'rows'>,
  ): { events: Event[]; rows: RowChange[] } {
    const changes = this.own.table.changes(project.id, object_id, moves);
    return { events, rows: [...changes, ...rows, ...(this.own.rowsOf?.(project.id, events) ?? [])] };
  }
}
