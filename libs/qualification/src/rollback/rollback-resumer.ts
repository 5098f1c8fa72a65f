import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type AuthPort, authPort } from '@scrip/contracts';
import { internalContext, isRefused, newRequestId } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import { RedemptionReader } from '../listing/redemption-reader';
import { RollbackFinisher } from './rollback-finisher';

interface Unfinished {
  project_id: string;
  id: string;
}

const everyMs = 2_000;
/** Younger ones still have somebody who works on them. */
const minimumAgeSeconds = 15;
const perRound = 50;
const callTimeoutMs = 10_000;

/** Finishes rollbacks whose process died, or whose refunds failed, in between. Source: architecture §8 Rollback. */
@Injectable()
export class RollbackResumer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(RollbackResumer.name);
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;

  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    @InjectPort(authPort) private readonly auth: AuthPort,
    private readonly reader: RedemptionReader,
    private readonly rollbacks: RollbackFinisher,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.round ??= this.resume()
        .then(() => undefined)
        .catch((error: unknown) =>
          this.logger.warn(`looking for unfinished rollbacks failed: ${String(error)}`),
        )
        .finally(() => (this.round = undefined));
    }, everyMs).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.round;
  }

  /** One round over rollbacks of at least that age; answers how many it finished. */
  async resume(minimumAge: number = minimumAgeSeconds): Promise<number> {
    const unfinished = await this.dataSource.query<Unfinished[]>(
      `SELECT project_id, id FROM redemptions
       WHERE rolling_back_since <= now() - make_interval(secs => $1) ORDER BY rolling_back_since LIMIT $2`,
      [minimumAge, perRound],
    );
    let finished = 0;
    for (const one of unfinished) finished += (await this.finish(one)) ? 1 : 0;
    return finished;
  }

  private async finish({ project_id, id }: Unfinished): Promise<boolean> {
    const deadlineAt = Date.now() + callTimeoutMs;
    try {
      const call = { requestId: newRequestId(), deadlineAt, traceparent: null };
      const project = await this.auth.loadProject(call, { project_id });
      if (isRefused(project)) throw new Error(`project ${project_id}: ${project.refused}`);
      const context = { ...internalContext(project), deadlineAt };
      const state = await this.reader.redemption(context, id);
      if (state?.rollback) await this.rollbacks.finish(context, state);
      return true;
    } catch (error) {
      this.logger.warn(`rollback of ${id} is still unfinished: ${String(error)}`);
      return false;
    }
  }
}
