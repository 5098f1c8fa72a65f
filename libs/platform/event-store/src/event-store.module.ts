import { type DynamicModule, Inject, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { EventStore } from './event-store';

const maintainEveryMs = 6 * 3_600_000;
const retryMs = 5 * 60_000;

/** The injection token of a context's `EventStore`. */
export const eventStoreToken = (name: string): string => `EventStore:${name}`;

/** Injects the `EventStore` of a context. */
export const InjectEventStore = (name: string): ParameterDecorator & PropertyDecorator =>
  Inject(eventStoreToken(name));

/** Provides a context's `EventStore` on the DataSource of the same name, which must be migrated when modules are
 *  initialized; then the epoch is checked, before any append. */
@Module({})
export class EventStoreModule {
  static forContext(name: string): DynamicModule {
    const token = eventStoreToken(name);
    const keeper = {
      provide: `${token}:keeper`,
      inject: [token],
      useFactory: (store: EventStore) => new EventStoreKeeper(store),
    };
    const store = {
      provide: token,
      inject: [getDataSourceToken(name)],
      useFactory: (dataSource: DataSource) => new EventStore(name, dataSource),
    };
    return { module: EventStoreModule, providers: [store, keeper], exports: [store] };
  }
}

class EventStoreKeeper implements OnModuleInit, OnModuleDestroy {
  /** Null once the module is destroyed. */
  private timer: NodeJS.Timeout | null | undefined;

  constructor(private readonly store: EventStore) {}

  async onModuleInit(): Promise<void> {
    this.maintainLater(await this.store.start());
  }

  onModuleDestroy(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  // The next check comes early enough before the partitions that exist run out.
  private maintainLater(complete: boolean): void {
    if (this.timer === null) return;
    const delayMs = complete ? maintainEveryMs : retryMs;
    this.timer = setTimeout(() => void this.maintain(), delayMs).unref();
  }

  private async maintain(): Promise<void> {
    this.maintainLater(await this.store.maintain());
  }
}
