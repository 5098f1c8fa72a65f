import { Injectable } from '@nestjs/common';
import type { Claimed, ClaimsRequest } from '@scrip/contracts/claims';
import { Fault, type RequestContext } from '@scrip/kernel';
import { byParticipant, Participants } from '../participants/participants';
import type { ClaimLedger, HeldClaim, RefusedClaim, WantedClaim } from './claim-ledger';

/** `held`: in the order wanted; empty where something was refused. */
export interface Taken {
  held: HeldClaim[];
  refused: RefusedClaim[];
}

const triesMax = 3;
const callTimeoutMs = 5_000;

/** How long one call may take, so that the deadline leaves room for another try.
 *  Machine time: deadlines. */
const callDeadline = ({ deadlineAt }: RequestContext): number => {
  const now = Date.now();
  return Math.min(deadlineAt, now + Math.min(callTimeoutMs, Math.max(250, (deadlineAt - now) / 2)));
};

/** Asks owners for their promises. Source: architecture §8.
 *  Machine time: deadlines. */
@Injectable()
export class Claiming {
  constructor(private readonly participants: Participants) {}

  /** Takes what is wanted and not held yet, from all owners in parallel; the ledger knows each claim before it is sent.
   *  Throws what an owner's last try threw, after all owners were heard: an answer that came later than the verdict
   *  would be forgotten. */
  async take(
    context: RequestContext,
    ledger: ClaimLedger,
    wanted: readonly WantedClaim[],
    atRefusal: ClaimsRequest['at_refusal'],
  ): Promise<Taken> {
    const missing = byParticipant(wanted.filter((one) => !ledger.heldFor(one)));
    const asked = await Promise.allSettled(
      missing.map(([participant, claims]) => this.ask(context, ledger, participant, claims, atRefusal)),
    );
    const refused: RefusedClaim[] = [];
    for (const end of asked) {
      if (end.status === 'rejected') throw end.reason;
      refused.push(...end.value);
    }
    const held = refused.length > 0 ? [] : wanted.map((one) => ledger.heldFor(one)!);
    return { held, refused };
  }

  private async ask(
    context: RequestContext,
    ledger: ClaimLedger,
    participant: string,
    wanted: readonly WantedClaim[],
    at_refusal: ClaimsRequest['at_refusal'],
  ): Promise<RefusedClaim[]> {
    const { port } = this.participants.named(participant);
    for (let tries = 1; ; tries += 1) {
      const claims = wanted.map((one) => ledger.send(one));
      try {
        const answers = await port.claim(
          { ...context, deadlineAt: callDeadline(context) },
          { redemption_id: ledger.redemptionId, claims, at_refusal },
        );
        return this.noted(ledger, wanted, claims, answers);
      } catch (error) {
        const lost = error instanceof Fault;
        if (!lost || tries === triesMax || Date.now() >= context.deadlineAt) throw error;
      }
    }
  }

  private noted(
    ledger: ClaimLedger,
    wanted: readonly WantedClaim[],
    claims: readonly { claim_id: string }[],
    answers: readonly Claimed<unknown, unknown>[],
  ): RefusedClaim[] {
    const answerOf = new Map(answers.map((answer) => [answer.claim_id, answer]));
    const refused: RefusedClaim[] = [];
    const untried: WantedClaim[] = [];
    wanted.forEach((one, index) => {
      const { claim_id } = claims[index]!;
      const answer = answerOf.get(claim_id);
      if (answer && 'granted' in answer) return ledger.grant(one, claim_id, answer.granted);
      ledger.forget(claim_id);
      if (answer) refused.push({ ...one, refusal: answer.refusal, facts: answer.facts });
      else untried.push(one);
    });
    // After a refusal the owner may leave later claims untried: those have no answer.
    if (untried[0] && refused.length === 0) {
      throw new Error(`${untried[0].participant} left a claim on ${untried[0].object_id} unanswered`);
    }
    return refused;
  }
}
