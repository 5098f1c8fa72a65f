import { Injectable } from '@nestjs/common';
import { loadAll } from '@scrip/contracts/claims';
import type { RequestContext } from '@scrip/kernel';
import { batchLoader } from '@scrip/rpc';
import { Participants } from '../participants/participants';

interface Wanted {
  context: RequestContext;
  /** The registered name of the owner. */
  participant: string;
  /** A code or an id. */
  object: string;
  /** The session of the request: its own holds do not block it; null for none. */
  session: string | null;
}

/** Loads redeemables from their owners: what `load` of the owner returns, or its refusal. What is asked for in the same
 *  turn of the event loop is one question per owner, project and session, each object once. */
@Injectable()
export class RedeemableLoader {
  readonly load: (wanted: Wanted) => Promise<unknown>;

  constructor(private readonly participants: Participants) {
    this.load = batchLoader((wanted: readonly Wanted[]) => this.loadBatch(wanted), {
      groupOf: ({ context, participant, session }) =>
        `${participant}\n${context.project.id}\n${session ?? ''}`,
    });
  }

  /** All of one owner, project and session. */
  private async loadBatch(wanted: readonly Wanted[]): Promise<unknown[]> {
    const objects = [...new Set(wanted.map(({ object }) => object))];
    // One caller's deadline must not cut what others still wait for.
    const { context, participant, session } = wanted.reduce((latest, one) =>
      one.context.deadlineAt > latest.context.deadlineAt ? one : latest,
    );
    const loaded = await loadAll(this.participants.source(participant).port, context, objects, session);
    const found = new Map(objects.map((object, index) => [object, loaded[index]]));
    return wanted.map(({ object }) => found.get(object));
  }
}
