import { type DynamicModule, Inject, Module, type Provider } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { ContextName } from '@scrip/contracts/registry';
import type { DataSource } from 'typeorm';
import { SCRIP_CONFIG, type ScripConfig } from '../config/scrip-config';
import { ListReader } from './list-reader';

export const listReaderToken = (context: ContextName): string => `scrip.list-reader.${context}`;

/** Injects the `ListReader` of a context. */
export const InjectListReader = (context: ContextName) => Inject(listReaderToken(context));

/** Provides what reads the lists of a context. A context does not import it. */
@Module({})
export class ListsModule {
  /** Global. Needs the context's DataSource. */
  static forContext(context: ContextName): DynamicModule {
    const reader: Provider = {
      provide: listReaderToken(context),
      inject: [SCRIP_CONFIG, getDataSourceToken(context)],
      useFactory: ({ database }: ScripConfig, dataSource: DataSource) => new ListReader(dataSource, database),
    };
    return { module: ListsModule, global: true, providers: [reader], exports: [reader] };
  }
}
