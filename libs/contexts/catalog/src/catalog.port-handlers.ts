import { Injectable } from '@nestjs/common';
import { ContextExports } from '@scrip/exports';
import type { CatalogPort } from '@scrip/contracts/catalog';
import { isFromBrowser, refuse } from '@scrip/kernel';
import { fittingOf } from '@scrip/rpc';
import { ItemTasks } from '@scrip/tasks';
import { BinEntryReads } from '@scrip/trash-bin';
import { CatalogBin } from './trash-bin/catalog-bin.handlers';
import { CollectionLocations } from './collection/collection-locations';
import { ItemCollectionsReads } from './collection/item-collections.reads';
import { ItemOverrides } from './item/item-overrides';
import { ItemReads } from './item/item.reads';
import { KeptRecordsReads } from './template-records/kept-records.reads';
import { RestoreRecords } from './template-records/restore-records';

/** What other contexts ask of the catalog. Source: architecture §7. */
@Injectable()
export class CatalogPortHandlers implements CatalogPort {
  constructor(
    private readonly items: ItemReads,
    private readonly overrides: ItemOverrides,
    private readonly collections: ItemCollectionsReads,
    private readonly exports: ContextExports,
    private readonly tasks: ItemTasks,
    private readonly locations: CollectionLocations,
    private readonly binned: BinEntryReads,
    private readonly bin: CatalogBin,
    private readonly kept: KeptRecordsReads,
    private readonly restoring: RestoreRecords,
  ) {}

  refersToLocation: CatalogPort['refersToLocation'] = (context, request) =>
    this.locations.refers(context, request);

  retestLocation: CatalogPort['retestLocation'] = (context, request) =>
    this.locations.retest(context, request);

  loadAsyncAction: CatalogPort['loadAsyncAction'] = (context, { id }) => this.tasks.find(context, id);

  readTaskReport: CatalogPort['readTaskReport'] = (context, request) => this.tasks.report(context, request);

  resolveItems: CatalogPort['resolveItems'] = async (context, { items }) =>
    fittingOf(await this.items.resolve(context, items));

  overrideItems: CatalogPort['overrideItems'] = async (context, { items }) =>
    isFromBrowser(context)
      ? refuse('forbidden', 'A client-side key cannot change the catalogue')
      : fittingOf(await this.overrides.store(context, items));

  matchCollections: CatalogPort['matchCollections'] = (context, request) =>
    this.collections.match(context, request);

  keepRecords: CatalogPort['keepRecords'] = (context, { references }) => this.kept.keep(context, references);

  restoreRecords: CatalogPort['restoreRecords'] = (context, request) =>
    this.restoring.restore(context, request);

  listBinEntries: CatalogPort['listBinEntries'] = (context, { wanted }) => this.binned.list(context, wanted);

  purgeBinEntry: CatalogPort['purgeBinEntry'] = (context, { id }) => this.bin.purge(context, id);

  checkExport: CatalogPort['checkExport'] = (context, request) => this.exports.check(context, request);

  writeExport: CatalogPort['writeExport'] = (context, request) => this.exports.write(context, request);
}
