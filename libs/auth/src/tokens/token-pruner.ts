import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { TokenStore } from './token.store';

const everyMs = 60_000;

/** Deletes expired tokens once a minute. */
@Injectable()
export class TokenPruner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('TokenPruner');
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly tokens: TokenStore) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.tokens
        .prune()
        .catch((error: unknown) => this.logger.warn('expired tokens were not deleted', error));
    }, everyMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }
}
