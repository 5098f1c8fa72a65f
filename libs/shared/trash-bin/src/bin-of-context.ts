import type { Provider } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { ContextName } from '@scrip/contracts/registry';
import { type ListReader, listReaderToken } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { BinEntryReads } from './bin-entry.reads';

/** The providers of a context's bin, for its module: `BinEntryReads`. The context has the migration of this library. */
export const binOfContext = (context: ContextName): Provider[] => [
  {
    provide: BinEntryReads,
    inject: [getDataSourceToken(context), listReaderToken(context)],
    useFactory: (dataSource: DataSource, lists: ListReader) => new BinEntryReads(dataSource, lists),
  },
];
