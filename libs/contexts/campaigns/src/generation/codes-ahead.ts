import { Injectable } from '@nestjs/common';
import type { CodeConfig } from '@scrip/contracts/campaigns';
import type { ProjectContext } from '@scrip/kernel';
import { LRUCache } from 'lru-cache';
import { setImmediate } from 'node:timers/promises';
import { CodeFinder } from './code-finder';
import type { CandidateCode } from './free-codes';

/** The codes that a code order needs next. */
export interface WantedCodes {
  /** Id of the order's task. */
  order: string;
  project: ProjectContext;
  config: CodeConfig;
  count: number;
}

/** Orders whose next codes are kept, each up to a chunk. */
const ordersMax = 16;

/** Looks for the next codes of a code order while the database stores the ones before. */
@Injectable()
export class CodesAhead {
  private readonly ahead = new LRUCache<string, Promise<CandidateCode[]>>({ max: ordersMax });

  constructor(private readonly finder: CodeFinder) {}

  /** Returns up to `count` free codes, none only when no more exist: those looked for ahead, or others. */
  async take({ order, project, config, count }: WantedCodes): Promise<CandidateCode[]> {
    const begun = this.ahead.get(order);
    this.ahead.delete(order);
    const found = (await begun) ?? [];
    return found.length > 0 ? found.slice(0, count) : this.finder.find(project, config, count);
  }

  /** Begins to look for codes other than `taken`, which are being stored. */
  begin(wanted: WantedCodes, taken: ReadonlySet<string>): void {
    // `take` looks again where this fails, and its caller sees the error.
    this.ahead.set(
      wanted.order,
      this.look(wanted, taken).catch(() => []),
    );
  }

  private async look(
    { project, config, count }: WantedCodes,
    taken: ReadonlySet<string>,
  ): Promise<CandidateCode[]> {
    // Making codes takes the processor, which first sends off what the caller stores.
    await setImmediate();
    const codes = await this.finder.find(project, config, count);
    return codes.filter(({ code }) => !taken.has(code));
  }
}
