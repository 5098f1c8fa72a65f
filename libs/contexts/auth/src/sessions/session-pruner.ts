import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '@scrip/service';
import { SessionStore } from './session.table';

const everyMs = 60_000;

/** Deletes sessions that are over, and old failures, once a minute. */
@Injectable()
export class SessionPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: Periodic;

  constructor(sessions: SessionStore) {
    this.rounds = new Periodic({ name: SessionPruner.name, everyMs, run: () => sessions.prune() });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }
}
