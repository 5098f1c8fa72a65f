import type { INestApplicationContext } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { type ContextName, contextNames } from '@scrip/contracts/registry';
import type { DataSource } from 'typeorm';
import { IdempotencyStore } from './idempotency-store';

const chunk = 1_000;

/** One store per context, on the context's own DataSource. */
export class IdempotencyStores {
  private readonly stores = new Map<ContextName, IdempotencyStore>();

  constructor(private readonly app: INestApplicationContext) {}

  of(context: ContextName): IdempotencyStore {
    const known = this.stores.get(context);
    if (known) return known;
    const source = this.app.get<DataSource>(getDataSourceToken(context), { strict: false });
    const store = new IdempotencyStore(source);
    this.stores.set(context, store);
    return store;
  }

  /** Deletes what is past its 24 hours, in chunks, in every context of this process. */
  async prune(): Promise<void> {
    for (const context of contextNames) {
      if (!this.serves(context)) continue;
      const store = this.of(context);
      for (let deleted = chunk; deleted === chunk;) deleted = await store.prune(chunk);
    }
  }

  private serves(context: ContextName): boolean {
    try {
      return this.app.get<unknown>(getDataSourceToken(context), { strict: false }) !== undefined;
    } catch {
      // Nest throws for a provider that this process does not have.
      return false;
    }
  }
}
