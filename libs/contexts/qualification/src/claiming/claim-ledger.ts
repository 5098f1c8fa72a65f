import type { ClaimAsks, ClaimRequest } from '@scrip/contracts/claims';
import type { IdSource } from '@scrip/kernel';
import { isDeepStrictEqual } from 'node:util';
import type { QualificationRefusal } from '../qualification.refusals';

/** What one redemption wants from one object of an owner. */
export interface WantedClaim {
  participant: string;
  object_id: string;
  asks: ClaimAsks;
}

/** A promise that stands. `granted`: the owner's answer, JSON. */
export interface HeldClaim extends WantedClaim {
  claim_id: string;
  granted: unknown;
}

/** `facts`: what the refusal was decided on, as the owner's `load` returns it; null where it gave none. */
export interface RefusedClaim extends WantedClaim {
  refusal: QualificationRefusal;
  facts: unknown;
}

/** A claim that an owner may hold. */
export interface SentClaim {
  participant: string;
  claim_id: string;
  object_id: string;
}

interface Entry extends SentClaim {
  held: HeldClaim | null;
}

const objectOf = ({ participant, object_id }: Pick<WantedClaim, 'participant' | 'object_id'>): string =>
  `${participant}\n${object_id}`;

/** The claims of one redemption: which promises stand, and every claim that an owner may hold because it was granted,
 *  replaced, or its answer was lost. A claim that an owner refused or did not try is forgotten: there is nothing to
 *  revert, and if a copy of its message arrives late, the owner asks and finds no such claim recorded. */
export class ClaimLedger {
  private readonly entries = new Map<string, Entry>();
  private count = 0;

  constructor(
    readonly redemptionId: string,
    private readonly ids: IdSource,
  ) {}

  /** The promise that stands for exactly this. */
  heldFor(wanted: WantedClaim): HeldClaim | null {
    const held = this.on(wanted).find((entry) => entry.held !== null)?.held ?? null;
    return held && isDeepStrictEqual(held.asks, wanted.asks) ? held : null;
  }

  /** Notes a claim before it is sent. It has a new id and replaces every claim on its object that the owner may hold: a
   *  claim whose answer was lost is never taken again under its id. */
  send(wanted: WantedClaim): ClaimRequest {
    const { participant, object_id, asks } = wanted;
    const replaced = this.on(wanted);
    for (const entry of replaced) entry.held = null;
    this.count += 1;
    const claim_id = this.ids.next('clm_', `claim:${this.count}`);
    this.entries.set(claim_id, { participant, object_id, claim_id, held: null });
    return { claim_id, object_id, asks, replaces: replaced.map((entry) => entry.claim_id) };
  }

  grant(wanted: WantedClaim, claim_id: string, granted: unknown): void {
    this.entries.get(claim_id)!.held = { ...wanted, claim_id, granted };
  }

  /** For a claim that the owner refused, or did not try. */
  forget(claim_id: string): void {
    this.entries.delete(claim_id);
  }

  /** Everything that has to be told the verdict. */
  sent(): SentClaim[] {
    return [...this.entries.values()].map(({ held: _, ...claim }) => claim);
  }

  private on(wanted: WantedClaim): Entry[] {
    return [...this.entries.values()].filter((entry) => objectOf(entry) === objectOf(wanted));
  }
}
