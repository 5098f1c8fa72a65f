import type { Provider, Type } from '@nestjs/common';
import type { ExportOwner } from '@scrip/contracts/operations';
import { openFileStore } from '@scrip/files';
import { MetadataSchemas } from '@scrip/metadata';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { ContextExports } from './context-exports';
import type { ExportKind } from './export-kind';

/** The providers of a context's exports, for its module, which has `MetadataSchemas`: `ContextExports` is among them and serves
 *  the methods of `ExportsPort`. `kinds`: providers of this context, one for each kind of records. */
export const exportsOfContext = (context: ExportOwner, kinds: readonly Type<ExportKind>[]): Provider[] => [
  ...kinds,
  {
    provide: ContextExports,
    inject: [SCRIP_CONFIG, MetadataSchemas, ...kinds],
    useFactory: (config: ScripConfig, schemas: MetadataSchemas, ...given: ExportKind[]) =>
      new ContextExports({ context, kinds: given, config, schemas, files: openFileStore(config.files) }),
  },
];
