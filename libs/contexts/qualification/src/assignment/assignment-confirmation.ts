import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type RuledObjectType, ruledObjectsPerCall } from '@scrip/contracts/qualification';
import { runQuery } from '@scrip/event-store';
import { Periodic } from '@scrip/service';
import { InternalContexts } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import { AssignmentEnds } from './assignment-ends';
import { RuledObjects } from './ruled-objects';

interface Unconfirmed {
  project_id: string;
  id: string;
  type: RuledObjectType;
  object_id: string;
  campaign_id: string | null;
  since: string;
}

const everyMs = 10_000;
/** The calls that create younger ones may still run. */
const minimumAgeSeconds = 60;
const callTimeoutMs = 10_000;
const roundMs = 30_000;

/** Asks once about the object of each assignment, so that those of objects that never came to be do not stay: what a process left
 *  that died between assigning and creating. Source: ADR 114.
 *  Machine time: when to ask. */
@Injectable()
export class AssignmentConfirmation implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(AssignmentConfirmation.name);
  private readonly rounds: Periodic;

  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    private readonly contexts: InternalContexts,
    private readonly objects: RuledObjects,
    private readonly ends: AssignmentEnds,
  ) {
    this.rounds = new Periodic({
      name: AssignmentConfirmation.name,
      everyMs,
      run: () => this.confirm(),
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** One round over assignments of at least that age, oldest first, for about 30 s; what fails is asked about in the next round,
   *  and delays no other. Returns how many it confirmed or ended. */
  async confirm(minimumAge: number = minimumAgeSeconds): Promise<number> {
    const untilMs = Date.now() + roundMs;
    let settled = 0;
    let page: Unconfirmed[] = [];
    do {
      page = await this.pageAfter(page.at(-1), minimumAge);
      const byProject = new Map<string, Unconfirmed[]>();
      for (const one of page) byProject.set(one.project_id, [...(byProject.get(one.project_id) ?? []), one]);
      for (const [projectId, some] of byProject) settled += await this.ask(projectId, some);
    } while (page.length === ruledObjectsPerCall && Date.now() < untilMs);
    return settled;
  }

  private pageAfter(after: Unconfirmed | undefined, minimumAge: number): Promise<Unconfirmed[]> {
    const { since, project_id, id } = after ?? { since: '-infinity', project_id: '', id: '' };
    return runQuery<Unconfirmed>(
      this.dataSource,
      `SELECT project_id, id, related_object_type AS type, related_object_id AS object_id, campaign_id,
         unconfirmed_since::text AS since
       FROM rule_assignments
       WHERE unconfirmed_since <= now() - make_interval(secs => $1)
         AND (unconfirmed_since, project_id, id) > ($2::timestamptz, $3, $4)
       ORDER BY unconfirmed_since, project_id, id LIMIT $5`,
      [minimumAge, since, project_id, id, ruledObjectsPerCall],
    );
  }

  private async ask(projectId: string, some: readonly Unconfirmed[]): Promise<number> {
    try {
      const internal = await this.contexts.of(projectId);
      const context = internal && { ...internal, deadlineAt: Date.now() + callTimeoutMs };
      const objects = some.map(({ type, object_id: id, campaign_id }) => ({ type, id, campaign_id }));
      const gone = context ? await this.objects.gone(context, objects) : new Set<string>();
      const ended = some.filter(({ object_id }) => gone.has(object_id));
      const unmade = { objects: ended.map(({ object_id }) => object_id), campaigns: [] };
      if (context && ended.length > 0) await this.ends.of(context, unmade, { neverWere: true });
      const confirmed = some.filter(({ object_id }) => !gone.has(object_id)).map(({ id }) => id);
      await runQuery(
        this.dataSource,
        'UPDATE rule_assignments SET unconfirmed_since = NULL WHERE project_id = $1 AND id = ANY($2)',
        [projectId, confirmed],
      );
      return some.length;
    } catch (error) {
      this.logger.warn(`assignments of ${projectId} are confirmed later: ${String(error)}`);
      return 0;
    }
  }
}
