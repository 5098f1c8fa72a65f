import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { batchLoader } from '@scrip/rpc';
import { Participants } from '../participants/participants';

interface Wanted {
  context: RequestContext;
  /** The registered name of the owner. */
  participant: string;
  /** A code or an id. */
  object: string;
}

interface Group {
  context: RequestContext;
  participant: string;
  objects: Set<string>;
}

/** Loads redeemables from their owners: what `load` of the owner returns, or its refusal. What is asked for in the same
 *  turn of the event loop is one question per owner and project, each object once. */
@Injectable()
export class RedeemableLoader {
  readonly load: (wanted: Wanted) => Promise<unknown>;

  constructor(private readonly participants: Participants) {
    this.load = batchLoader((wanted: readonly Wanted[]) => this.loadBatch(wanted));
  }

  private async loadBatch(wanted: readonly Wanted[]): Promise<unknown[]> {
    const found = new Map<string, unknown>();
    const groupOf = ({ context, participant }: Wanted): string => `${participant}\n${context.project.id}`;
    const keyOf = (one: Wanted): string => `${groupOf(one)}\n${one.object}`;
    const groups = new Map<string, Group>();
    for (const one of wanted) {
      const { context, participant, object } = one;
      const group = groups.get(groupOf(one)) ?? { context, participant, objects: new Set<string>() };
      groups.set(groupOf(one), group);
      group.objects.add(object);
      // One caller's deadline must not cut what others still wait for.
      if (context.deadlineAt > group.context.deadlineAt) group.context = context;
    }
    await Promise.all(
      [...groups.values()].map(async ({ context, participant, objects }) => {
        const names = [...objects];
        const loaded = await this.participants.named(participant).port.load(context, { objects: names });
        names.forEach((object, index) => found.set(keyOf({ context, participant, object }), loaded[index]));
      }),
    );
    return wanted.map((one) => found.get(keyOf(one)));
  }
}
