import type { Provider } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { ContextName } from '@scrip/contracts/registry';
import { type ListReader, listReaderToken } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { BinEntries } from './bin-entries';

/** The providers of a context's bin, for its module: `BinEntries`. The context has the migration of this library. */
export const binOfContext = (context: ContextName): Provider[] => [
  {
    provide: BinEntries,
    inject: [getDataSourceToken(context), listReaderToken(context)],
    useFactory: (dataSource: DataSource, lists: ListReader) => new BinEntries(dataSource, lists),
  },
];
