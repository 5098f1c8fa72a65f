import {
  type DynamicModule,
  Inject,
  Logger,
  Module,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { EventStore } from './event-store';

const maintainEveryMs = 6 * 3_600_000;

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
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly store: EventStore) {}

  async onModuleInit(): Promise<void> {
    await this.store.start();
    // The next check comes early enough before the partitions that exist run out.
    this.timer = setInterval(() => void this.maintain(), maintainEveryMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  private async maintain(): Promise<void> {
    try {
      await this.store.maintain();
    } catch (error) {
      new Logger('EventStore').warn(`maintenance of ${this.store.service} failed: ${String(error)}`);
    }
  }
}
