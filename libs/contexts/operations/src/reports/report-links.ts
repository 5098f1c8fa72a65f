import { Inject, Injectable } from '@nestjs/common';
import { type MachineClock, SealBroken } from '@scrip/kernel';
import { InjectMachineClock, purposeRing, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';

/** How long a link to a report works. Source: reference 07 §12. */
const linkMs = 3_600_000;

/** The task whose report a token opens. */
export interface OpenedReport {
  projectId: string;
  taskId: string;
}

/** Makes links to reports, and reads their tokens: a sealed text that names project, task and the end of its time. */
@Injectable()
export class ReportLinks {
  private readonly keys: ReturnType<typeof purposeRing>;

  constructor(
    @Inject(SCRIP_CONFIG) private readonly config: ScripConfig,
    @InjectMachineClock() private readonly clock: MachineClock,
  ) {
    this.keys = purposeRing(config, 'task-results');
  }

  /** Returns a link that works for an hour, without other credentials. */
  of({ projectId, taskId }: OpenedReport): string {
    const token = this.keys.seal(JSON.stringify([projectId, this.clock.now().getTime() + linkMs]), taskId);
    return `${this.config.baseUrl}/v1/task-results/${encodeURIComponent(taskId)}?token=${token}`;
  }

  /** Returns what a token opens; null for one of another task, one past its time, and for whatever was not made here. */
  open(taskId: string, token: string): OpenedReport | null {
    try {
      const [projectId, until] = JSON.parse(this.keys.open(token, taskId)) as [string, number];
      return this.clock.now().getTime() < until ? { projectId, taskId } : null;
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}
