import type { Standing } from './rate-limits';

/** Calls of projects in a cycle, `YYYY-MM`. */
export interface CycleCalls {
  cycle: string;
  calls: { project_id: string; calls: number }[];
}

/** Adds calls to the totals that all processes share, and returns those totals. */
export type CycleTotals = (added: CycleCalls) => Promise<CycleCalls['calls']>;

/** `total`: of all processes, when it was told last; `since`: of this process, not told yet. */
interface ProjectCalls {
  total: number;
  since: number;
}

const cycleOf = (now: Date): string => now.toISOString().slice(0, 7);

const msToNextCycle = (now: Date): number =>
  Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime();

/** Counts calls of projects in calendar months (UTC). Each process adds its calls to the shared totals every second and reads them
 *  back; in between, processes together may admit more than the limit. Source: reference 07 §1.6. */
export class CallCycle {
  private readonly cycles = new Map<string, Map<string, ProjectCalls>>();

  constructor(
    private readonly limit: number,
    private readonly totals: CycleTotals,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Counts a call, unless the limit is reached. */
  take(projectId: string): Standing {
    const now = this.now();
    const calls = this.callsOf(cycleOf(now), projectId);
    const admitted = calls.total + calls.since < this.limit;
    if (admitted) calls.since += 1;
    const remaining = Math.max(0, this.limit - calls.total - calls.since);
    return {
      type: 'api_calls_cycle',
      limit: this.limit,
      remaining,
      waitMs: remaining === 0 ? msToNextCycle(now) : 0,
      admitted,
    };
  }

  /** Tells what was counted since the last time, and learns the totals. What could not be told is told the next time. */
  async settle(): Promise<void> {
    for (const [cycle, projects] of this.cycles) {
      await this.settleCycle(cycle, projects);
      if (cycle < cycleOf(this.now())) this.cycles.delete(cycle);
    }
  }

  private callsOf(cycle: string, projectId: string): ProjectCalls {
    const projects = this.cycles.get(cycle) ?? new Map<string, ProjectCalls>();
    this.cycles.set(cycle, projects);
    const calls = projects.get(projectId) ?? { total: 0, since: 0 };
    projects.set(projectId, calls);
    return calls;
  }

  private async settleCycle(cycle: string, projects: Map<string, ProjectCalls>): Promise<void> {
    const told = [...projects].filter(([, { since }]) => since > 0);
    if (told.length === 0) return;
    const added = told.map(([project_id, { since }]) => ({ project_id, calls: since }));
    const totals = new Map(
      (await this.totals({ cycle, calls: added })).map(({ project_id, calls }) => [project_id, calls]),
    );
    for (const { project_id, calls } of added) {
      const counted = this.callsOf(cycle, project_id);
      counted.since -= calls;
      counted.total = totals.get(project_id) ?? counted.total + calls;
    }
  }
}
