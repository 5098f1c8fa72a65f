import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import {
  type Calculation,
  type Counted,
  type CountedCaller,
  type EvaluationRequest,
  type Touched,
  countedFrom,
  judgeAgain,
  touchedBy,
  unitsUsedFrom,
} from '@scrip/order-preview';
import type { QualificationRefusal } from '../qualification.refusals';
import type { CountedRecording } from './counted-recording';
import { LimitCounters } from './limit-counters';
import { callerOf, type Redeemer } from './redeemer';

type Requested = EvaluationRequest['requested'];

/** A request before its counters are read. */
export type UncountedRequest = Omit<EvaluationRequest, 'context'> & {
  context: Omit<EvaluationRequest['context'], 'unitsUsed'>;
};

const untouched: Touched = { counters: [], budgets: [] };

const hasRules = (one: Requested[number]): boolean =>
  'tiers' in one ? one.tiers.some(({ rules }) => rules.length > 0) : one.rules.length > 0;

const counting = (
  requested: Requested,
  countedFor: (candidate: Parameters<typeof countedFrom>[1]) => ReturnType<typeof countedFrom>,
): Requested =>
  requested.map((one) =>
    'tiers' in one
      ? { ...one, tiers: one.tiers.map((tier) => ({ ...tier, counted: countedFor(tier) })) }
      : { ...one, counted: countedFor(one) },
  );

/** What limits and unit budgets of one request had counted when they were read. */
export class RequestCounts {
  private readonly caller: CountedCaller;

  constructor(
    private readonly moment: Pick<EvaluationRequest['context'], 'now' | 'timezone'>,
    redeemer: Redeemer,
    private readonly read: { counted: ReadonlyMap<string, Counted>; used: ReadonlyMap<string, number> },
  ) {
    this.caller = callerOf(redeemer);
  }

  /** The request with what was counted before it. */
  in(request: UncountedRequest): EvaluationRequest {
    return {
      ...request,
      requested: counting(request.requested, this.countedWith(this.read.counted)),
      context: { ...request.context, unitsUsed: unitsUsedFrom(this.read.used, this.caller) },
    };
  }

  /** What the recorder asks about a calculation of the request: the counters of what applies, the units that it consumes, and
   *  whether its rules hold with other counts. */
  recorded(
    calculation: Calculation,
    { messages, context }: Pick<UncountedRequest, 'messages' | 'context'>,
  ): Pick<CountedRecording, 'counters' | 'units' | 'judge'> {
    const requested = calculation.countedVerdicts.map(({ candidate }) => candidate);
    const { counters } =
      requested.length === 0
        ? untouched
        : touchedBy({ order: null, requested, messages, context }, this.caller);
    return {
      counters,
      units: calculation.consumption.units,
      judge: (counted) => {
        const again = judgeAgain(calculation, this.countedWith(counted));
        return (
          again && { redeemable: again.candidate.redeemable, refusal: again.refusal as QualificationRefusal }
        );
      },
    };
  }

  private countedWith(counted: ReadonlyMap<string, Counted>) {
    return (candidate: Parameters<typeof countedFrom>[1]) =>
      countedFrom(counted, candidate, this.caller, this.moment);
  }
}

/** Reads what limits and unit budgets of requests have counted, without reserving anything. */
@Injectable()
export class RequestCounters {
  constructor(private readonly counters: LimitCounters) {}

  /** Throws `Fault` `deadline` where a counter is still being completed. Source: reference 02 §4.6. */
  async of(context: RequestContext, request: UncountedRequest, redeemer: Redeemer): Promise<RequestCounts> {
    const touched = request.requested.some(hasRules) ? touchedBy(request, callerOf(redeemer)) : untouched;
    return new RequestCounts(request.context, redeemer, await this.counters.read(context, touched));
  }
}
