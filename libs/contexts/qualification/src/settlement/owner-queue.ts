import { Logger } from '@nestjs/common';
import type { ObjectVerdict, Participant } from '@scrip/contracts/claims';
import { Fault, type ProjectContext, internalContext } from '@scrip/kernel';
import { BackgroundQueue } from '@scrip/service';

/** Verdicts for one owner. `requestId`: the request that had claimed what is given back. */
export interface OwnersVerdicts {
  project: ProjectContext;
  requestId: string;
  verdicts: readonly ObjectVerdict[];
}

const waitingMax = 20_000;
const verdictsPerPage = 500;
/** A quarter of the largest frame between processes. */
const bytesPerPage = 262_144;
const callTimeoutMs = 10_000;

/** Confirmed claims of a project travel together. Giving back is told under the id of the request that had claimed, so
 *  abandoned ones travel with those of their own request only; they are few. */
const groupsOf = (waiting: readonly OwnersVerdicts[]): OwnersVerdicts[] => {
  const groups = new Map<string, OwnersVerdicts & { verdicts: ObjectVerdict[] }>();
  for (const { project, requestId, verdicts } of waiting) {
    for (const verdict of verdicts) {
      const key = verdict.verdict === 'RECORDED' ? project.id : `${project.id} ${requestId}`;
      const group = groups.get(key);
      if (group) group.verdicts.push(verdict);
      else groups.set(key, { project, requestId, verdicts: [verdict] });
    }
  }
  return [...groups.values()];
};

/** Pages of at most 500 verdicts and 256 KiB as JSON, in the same order. */
export const pagesOf = (verdicts: readonly ObjectVerdict[]): ObjectVerdict[][] => {
  const pages: ObjectVerdict[][] = [];
  let bytes = Infinity;
  for (const verdict of verdicts) {
    const size = Buffer.byteLength(JSON.stringify(verdict)) + 1;
    bytes += size;
    if (bytes > bytesPerPage || pages.at(-1)!.length === verdictsPerPage) {
      pages.push([]);
      bytes = size;
    }
    pages.at(-1)!.push(verdict);
  }
  return pages;
};

/** Tells one owner its verdicts, in pages, in the background. A page that the owner cannot take is halved until each
 *  half passes or is a single verdict; where the owner is away, its verdicts are left to its own questions.
 *  Machine time: deadlines. */
export class OwnerQueue {
  private readonly logger: Logger;
  private readonly queue: BackgroundQueue<OwnersVerdicts>;

  constructor(
    private readonly owner: string,
    private readonly port: Pick<Participant, 'settle'>,
    private readonly lost: (labels: Record<string, string>, count: number) => void,
  ) {
    this.logger = new Logger(`Settlement at ${owner}`);
    this.queue = new BackgroundQueue({
      waitingMax,
      weightOf: ({ verdicts }) => verdicts.length,
      run: async (waiting) => {
        await Promise.all(groupsOf(waiting).map((group) => this.tellAll(group)));
      },
      dropped: ({ verdicts }) => this.lost({ cause: 'overloaded', owner }, verdicts.length),
    });
  }

  /** Never throws, never waits. */
  push(verdicts: OwnersVerdicts): void {
    this.queue.push(verdicts);
  }

  /** Everything that was pushed so far has been handed over. */
  drained(): Promise<void> {
    return this.queue.drained();
  }

  private async tellAll({ project, requestId, verdicts }: OwnersVerdicts): Promise<void> {
    for (const page of pagesOf(verdicts)) await this.tell({ project, requestId, verdicts: page });
  }

  private async tell({ project, requestId, verdicts }: OwnersVerdicts): Promise<void> {
    const context = { ...internalContext(project, requestId), deadlineAt: Date.now() + callTimeoutMs };
    try {
      await this.port.settle(context, { verdicts: [...verdicts] });
    } catch (error) {
      const isAway = error instanceof Fault && error.kind !== 'deadline';
      if (isAway || verdicts.length === 1) {
        this.lost({ cause: isAway ? 'unavailable' : 'failed', owner: this.owner }, verdicts.length);
        this.logger.warn(`${verdicts.length} verdicts not delivered, the owner will ask: ${String(error)}`);
        return;
      }
      const half = Math.ceil(verdicts.length / 2);
      await this.tell({ project, requestId, verdicts: verdicts.slice(0, half) });
      await this.tell({ project, requestId, verdicts: verdicts.slice(half) });
    }
  }
}
