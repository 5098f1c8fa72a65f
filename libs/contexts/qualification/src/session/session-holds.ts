import { Injectable } from '@nestjs/common';
import type { HoldAsks } from '@scrip/contracts/claims';
import type { RequestContext } from '@scrip/kernel';
import { Participants } from '../participants/participants';
import type { Candidate, EvaluatedRedeemable, Evaluation } from '../evaluation/evaluate';
import { isSameAsk, type RefusedByOwner, withFacts, withRefusals } from '../evaluation/refused-candidates';
import { expiryOf, type Session } from './session';

interface Wanted {
  participant: string;
  object_id: string;
  asks: HoldAsks;
  about: EvaluatedRedeemable;
}

type Refused = Wanted & RefusedByOwner;

/** From this round on, what an owner refuses counts as refused, whatever it says of it. */
const believesFactsBefore = 3;

/** What a session holds of what applies; promotion tiers have nothing to hold. */
const wantedBy = ({ redeemables }: Evaluation): Wanted[] =>
  redeemables.flatMap((about) => {
    const { kind, found } = about.candidate;
    if (!kind || about.calculated.status !== 'APPLICABLE') return [];
    const noRedemption = { spentOn: { redemption_id: '', order: null }, customerId: null, session: null };
    const asked = kind.asks(found, about.calculated.result, noRedemption);
    if (!asked?.asks.uses) return [];
    const { uses, credits } = asked.asks;
    const asks = { uses, ...(credits === undefined ? {} : { credits }) };
    return [{ participant: kind.participant, object_id: asked.object_id, asks, about }];
  });

/** Establishes sessions: all that applies is held, or nothing is. Source: reference 03 §8. */
@Injectable()
export class SessionHolds {
  constructor(private readonly participants: Participants) {}

  /** Holds what applies. Where an owner refuses, evaluates again with the facts of the refusal and asks for what applies then.
   *  Returns the last evaluation; the session is established where that is valid. */
  async establish(
    context: RequestContext,
    { session, now }: { session: Session; now: Date },
    first: { evaluation: Evaluation; candidates: readonly Candidate[] },
    evaluate: (candidates: readonly Candidate[]) => Evaluation,
  ): Promise<Evaluation> {
    let { evaluation, candidates } = first;
    for (let round = 1; evaluation.valid; round += 1) {
      const wanted = wantedBy(evaluation);
      const refused = await this.hold(context, { session, now }, wanted);
      if (refused.length === 0) return evaluation;
      candidates = (round < believesFactsBefore ? withFacts : withRefusals)(candidates, refused);
      evaluation = evaluate(candidates);
      const repeated = refused.filter((one) => wantedBy(evaluation).some((next) => isSameAsk(next, one)));
      if (repeated.length === 0 || !evaluation.valid) continue;
      candidates = withRefusals(candidates, repeated);
      evaluation = evaluate(candidates);
    }
    return evaluation;
  }

  /** Every owner is asked, also for nothing: a session holds nothing any more of what it does not ask for again. */
  private async hold(
    context: RequestContext,
    { session, now }: { session: Session; now: Date },
    wanted: readonly Wanted[],
  ): Promise<Refused[]> {
    const refused: Refused[] = [];
    for (const { name, port } of this.participants.holding()) {
      const own = wanted.filter(({ participant }) => participant === name);
      const objects = own.map(({ object_id, asks }) => ({ object_id, asks }));
      const request = { session: session.key, expires_at: expiryOf(session, now), objects };
      const answer = await port.hold(context, request);
      for (const one of answer.refused) {
        const about = own.find(({ object_id }) => object_id === one.object_id);
        if (about) refused.push({ ...about, refusal: one.refusal, facts: one.facts });
      }
    }
    return refused;
  }
}
