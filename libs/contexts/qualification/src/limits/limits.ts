import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type RequestContext, isRefused } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { Candidate, Evaluation } from '../validation/evaluate';
import { type CountedRedemption, objectsOf } from './counter';
import { readCounters } from './counter.table';
import { type Limit, Tally, type Violation, countersOf } from './limit';
import { countsOf } from './redemption-counts';

/** What limits may depend on. */
export interface LimitedRequest {
  context: RequestContext;
  now: Date;
  /** What the request names and redeeming found: its objects, as counters name them. */
  redeemables: readonly { object_id: string; objects: readonly string[] }[];
}

/** Knows which limits hold for the redeemables of a request. */
export interface LimitSource {
  limitsOn(request: LimitedRequest): Promise<Limit[]>;
}

/** Who redeems, and when. */
export type Caller = Pick<CountedRedemption, 'customer_id' | 'channel'> & {
  context: RequestContext;
  now: Date;
};

/** Evaluates within limits: on counters as they were read, without reserving anything. */
export type WithinLimits = (
  candidates: readonly Candidate[],
  evaluate: (candidates: readonly Candidate[]) => Evaluation,
) => Evaluation;

/** The limits of requests. */
@Injectable()
export class Limits {
  private readonly sources: LimitSource[] = [];

  constructor(@InjectDataSource('qualification') private readonly dataSource: DataSource) {}

  register(source: LimitSource): void {
    this.sources.push(source);
  }

  /** Those that hold for what a request names. */
  async on({ context, now }: Caller, candidates: readonly Candidate[]): Promise<Limit[]> {
    if (this.sources.length === 0) return [];
    const redeemables = candidates.flatMap(({ kind, found }) => {
      const described = kind && !isRefused(found) ? kind.describe(found) : null;
      if (!described) return [];
      const { related, campaignId: campaign_id } = described;
      const object = { campaign_id, object: related.type, object_id: related.id };
      return [{ object_id: related.id, objects: objectsOf(object) }];
    });
    const limits = await Promise.all(
      this.sources.map((source) => source.limitsOn({ context, now, redeemables })),
    );
    return limits.flat();
  }

  /** Reads the counters of limits, and returns how to evaluate with them: a redeemable that would pass a limit is
   *  INAPPLICABLE. */
  async within(caller: Caller, limits: readonly Limit[]): Promise<WithinLimits> {
    if (limits.length === 0) return (candidates, evaluate) => evaluate(candidates);
    const { customer_id, channel, context, now } = caller;
    const nobodyYet = { customer_id, channel, counts: countsOf([], now, context.project.timezone) };
    const read = await readCounters(this.dataSource, context.project.id, countersOf(nobodyYet, limits));
    return (candidates, evaluate) => {
      let current = candidates;
      for (;;) {
        const evaluation = evaluate(current);
        const counts = countsOf(evaluation.redeemables, now, context.project.timezone);
        const violation = new Tally(read).admit({ customer_id, channel, counts }, limits);
        if (!violation) return evaluation;
        current = refusing(current, evaluation, violation);
      }
    };
  }
}

/** The candidates with the one refused that would pass a limit: one fewer applies each time. */
const refusing = (
  candidates: readonly Candidate[],
  { redeemables }: Evaluation,
  { object_id, refusal }: Violation,
): Candidate[] => {
  const passing = redeemables.find(
    ({ described, calculated }) => calculated.status === 'APPLICABLE' && described?.related.id === object_id,
  )!;
  return candidates.map((candidate) =>
    candidate.requested === passing.candidate.requested
      ? { ...candidate, refusedByLimit: refusal }
      : candidate,
  );
};
