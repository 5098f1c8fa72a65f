import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule, type TypeOrmModuleOptions } from '@nestjs/typeorm';
import { EventStoreModule } from '@scrip/event-store';
import type { DataSourceOptions } from 'typeorm';
import { SCRIP_CONFIG, type ScripConfig } from '../config/scrip-config';
import { serveEventLog } from '../event-log/event-log.handlers';
import { JobsModule } from '../jobs/jobs.module';
import { ListsModule } from '../lists/lists.module';
import { contextDataSourceOptions, openContextDataSource } from './context-data-source';
import type { ContextDefinition, MigrationClass } from './context-definition';
import { checkedMigrations } from './context-migrations';

/** Provides what a context needs beside its own module: its DataSource (migrated before it is injected), its event
 *  store, what reads its lists, and its jobs. All of it is global, under tokens that carry the context's name. */
@Module({})
export class ContextModule {
  /** `before`: migrations that every context's schema gets, in front of its own. */
  static for(definition: ContextDefinition, before: MigrationClass[]): DynamicModule {
    const { name, module, migrations, jobs = false } = definition;
    const all = [...before, ...checkedMigrations(migrations)];
    return {
      module: ContextModule,
      imports: [
        TypeOrmModule.forRootAsync({
          name,
          inject: [SCRIP_CONFIG],
          useFactory: (config: ScripConfig): TypeOrmModuleOptions => ({
            ...contextDataSourceOptions(config, name, all),
            autoLoadEntities: true,
            retryAttempts: 0,
          }),
          dataSourceFactory: (options) => openContextDataSource(options as DataSourceOptions),
        }),
        { ...EventStoreModule.forContext(name), global: true },
        ListsModule.forContext(name),
        ...(jobs ? [JobsModule.forContext(name)] : []),
        module,
      ],
      providers: [serveEventLog(name)],
    };
  }
}
