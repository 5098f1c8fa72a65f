import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic } from '@scrip/service';
import { TokenStore } from './token.table';

const everyMs = 60_000;

/** Deletes expired tokens once a minute. */
@Injectable()
export class TokenPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds: Periodic;

  constructor(tokens: TokenStore) {
    this.rounds = new Periodic({ name: TokenPruner.name, everyMs, run: () => tokens.prune() });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }
}
