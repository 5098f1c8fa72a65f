import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '@scrip/service';
import { SessionStore } from './session.table';
import { SignInAttempts } from './sign-in-attempts';

const everyMs = 60_000;

/** Deletes sessions that are over, and what of sign-ins counts no longer, once a minute. */
@Injectable()
export class SessionPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: Periodic;

  constructor(sessions: SessionStore, attempts: SignInAttempts) {
    this.rounds = new Periodic({
      name: SessionPruner.name,
      everyMs,
      run: () => Promise.all([sessions.prune(), attempts.prune()]),
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }
}
