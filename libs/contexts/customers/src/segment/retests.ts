import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Periodic } from '@scrip/service';
import { InternalContexts } from '@scrip/tasks';
import type { DataSource } from 'typeorm';
import { Memberships } from './memberships';
import { type Retest, removeRetests, retestsTogether, takeRetests } from './retest.table';

const everyMs = 1_000;

/** Tests customers again whose orders or redemptions changed, within about a second. What is killed, or fails, is tried again
 *  after half a minute; a project that fails holds up no other. Source: reference 07 §4. */
@Injectable()
export class Retests implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Retests.name);
  private readonly rounds = new Periodic({ name: Retests.name, everyMs, run: () => this.run() });
  private isStopped = false;

  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    private readonly contexts: InternalContexts,
    private readonly memberships: Memberships,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    return this.rounds.stop();
  }

  /** Tests all that wait. */
  async run(): Promise<void> {
    let taken: Retest[];
    do {
      taken = await takeRetests(this.dataSource.manager);
      for (const projectId of new Set(taken.map(({ project_id }) => project_id)))
        await this.test(
          projectId,
          taken.filter(({ project_id }) => project_id === projectId),
        );
    } while (taken.length === retestsTogether && !this.isStopped);
  }

  private async test(projectId: string, retests: readonly Retest[]): Promise<void> {
    try {
      const segments = await this.memberships.kept(projectId);
      const context = segments.length > 0 ? await this.contexts.of(projectId) : null;
      const ids = retests.map(({ customer_id }) => customer_id);
      if (context) await this.memberships.test(context, segments, ids);
      await removeRetests(this.dataSource.manager, retests);
    } catch (error) {
      // The rows stay, and are taken again.
      this.logger.warn(`customers of ${projectId} are not tested: ${String(error)}`);
    }
  }
}
