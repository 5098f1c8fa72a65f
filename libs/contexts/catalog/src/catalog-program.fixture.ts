import { Fault, isRefused } from '@scrip/kernel';
import { bootCatalog, caller, type CatalogFixture } from './catalog.fixture';

/** Purges what is on the first page of the bin. Returns whether the bin was empty. */
const purgePage = async ({ port }: CatalogFixture): Promise<boolean> => {
  const wanted = { limit: 1_000, order: 'id', after: null, filters: null } as const;
  const entries = await port.listBinEntries(caller(), { wanted });
  if (isRefused(entries)) throw new Error(entries.details);
  for (const { id } of entries) await port.purgeBinEntry(caller(), { id });
  return entries.length === 0;
};

/** Purges page after page, until the bin is empty, as a caller who comes again after a fault: on a busy machine a killed process may
 *  have left what a call waits for longer than it may. */
const purgeAll = async (fixture: CatalogFixture): Promise<void> => {
  let isEmpty = false;
  while (!isEmpty) {
    isEmpty = await purgePage(fixture).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
      return false;
    });
  }
};

/** Boots the catalog in a process of its own, to be killed. `DATABASE_URL`: its database; `PURGES`: it purges what is in the bin. */
const run = async (): Promise<void> => {
  const fixture = await bootCatalog(process.env.DATABASE_URL);
  console.log(`ready ${fixture.running.url}`);
  if (process.env.PURGES) await purgeAll(fixture);
};

void run();
