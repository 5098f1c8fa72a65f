import { Injectable } from '@nestjs/common';
import type { CustomerSnapshot } from '@scrip/contracts/customers';
import { type RequestContext, isRefused } from '@scrip/kernel';
import type { CalculatedOrder, StackingSettings } from '@scrip/order-calculation';
import { candidatesIn, type Judgement, type Qualified, qualify, qualifyStack } from '@scrip/order-preview';
import { RulesOfObjects } from '../assignment/rules-of-objects';
import type { QualificationRefusal } from '../qualification.refusals';
import type { Redeemer } from '../limits/redeemer';
import { RequestCounters, type UncountedRequest } from '../limits/request-counters';
import { type Candidate, evaluableOf, nothingCounted } from '../evaluation/evaluate';
import { RequestKnowledge } from '../evaluation/request-knowledge';
import type { LoadedOrder } from '../evaluation/request-order';
import type { RequestParties } from '../request/redeemables-request';
import type { LoadedCandidate } from './loaded-candidate';
import type { SegmentsOfRequest } from './segments-of-request';

/** What candidates of one request are judged with. */
export interface Judged {
  readonly request: Pick<RequestParties, 'metadata'>;
  readonly customer: CustomerSnapshot | null;
  readonly loaded: LoadedOrder | null;
  readonly segments: SegmentsOfRequest;
  readonly settings: StackingSettings;
  readonly judgement: Judgement;
  readonly now: Date;
  /** Whose redemptions limits count; null: limits are not looked at. */
  readonly redeemer: Redeemer | null;
}

/** A candidate that qualifies. `parts`: of a stack its applicable tiers, else itself. */
export interface QualifiedCandidate {
  readonly loaded: LoadedCandidate;
  readonly parts: readonly Qualified[];
  /** After all parts. */
  readonly order: CalculatedOrder | null;
}

/** Evaluates candidates, each by itself on the untouched order: their rules and what these look at are loaded for all of them
 *  together. Source: reference 02 §4.3, §8. */
@Injectable()
export class Judge {
  constructor(
    private readonly rules: RulesOfObjects,
    private readonly knowledge: RequestKnowledge,
    private readonly counters: RequestCounters,
  ) {}

  /** Those that qualify, in the order given. Refuses an order that cannot be calculated with. */
  async of(
    context: RequestContext,
    candidates: readonly LoadedCandidate[],
    { request, customer, loaded, segments, settings, judgement, now, redeemer }: Judged,
  ): Promise<QualifiedCandidate[] | QualificationRefusal> {
    const ruled = await this.withRules(context, candidates);
    const known = await this.knowledge.of(context, {
      request,
      customer,
      loaded,
      candidates: ruled.flatMap(({ parts }) => parts),
      segmentsOf: segments.of,
    });
    if (isRefused(known)) return known;
    const { order } = known;
    const { facts, catalogue, ...knowledge } = known.knowledge;
    const { timezone } = context.project;
    const conditions = { now, timezone, usesAreClaimed: false, customerId: customer && customer.id };
    const uncounted: UncountedRequest = {
      ...knowledge,
      order: order && order.state,
      settings,
      requested: ruled.flatMap(({ parts }) => parts.map((part) => evaluableOf(part, conditions))),
      context: { now, timezone, catalogue, facts },
    };
    const counts = redeemer ? await this.counters.of(context, uncounted, redeemer) : nothingCounted;
    const { requested, ...judged } = counts.in(uncounted);
    const evaluables = candidatesIn(requested);
    let next = 0;
    return ruled.flatMap(({ candidate, parts }): QualifiedCandidate[] => {
      const own = evaluables.slice(next, (next += parts.length));
      if (candidate.isEmpty) return [];
      if (candidate.object === 'promotion_stack') {
        const stack = { object: 'promotion_stack' as const, id: candidate.shownId, tiers: own };
        const found = qualifyStack(stack, judged, judgement);
        return found ? [{ loaded: candidate, parts: found.redeemables, order: found.order }] : [];
      }
      const { card } = candidate;
      const found = qualify({ ...own[0]!, ...(card ? { card } : {}) }, judged, judgement);
      return found ? [{ loaded: candidate, parts: [found], order: found.order }] : [];
    });
  }

  private async withRules(
    context: RequestContext,
    candidates: readonly LoadedCandidate[],
  ): Promise<{ candidate: LoadedCandidate; parts: Candidate[] }[]> {
    const rules = await this.rules.of(
      context,
      candidates.flatMap(({ ruled }) => ruled),
    );
    let next = 0;
    return candidates.map((candidate) => ({
      candidate,
      parts: candidate.parts.map((part) => ({ ...part, rules: rules[next++]! })),
    }));
  }
}
