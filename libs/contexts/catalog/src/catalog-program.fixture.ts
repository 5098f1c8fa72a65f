import { isRefused } from '@scrip/kernel';
import { bootCatalog, caller, type CatalogFixture } from './catalog.fixture';

/** Purges page after page, until the bin is empty. */
const purgeAll = async ({ port }: CatalogFixture): Promise<void> => {
  const wanted = { limit: 1_000, order: 'id', after: null, filters: null } as const;
  let isEmpty = false;
  while (!isEmpty) {
    const entries = await port.listBinEntries(caller(), { wanted });
    if (isRefused(entries)) throw new Error(entries.details);
    for (const { id } of entries) await port.purgeBinEntry(caller(), { id });
    isEmpty = entries.length === 0;
  }
};

/** Boots the catalog in a process of its own, to be killed. `DATABASE_URL`: its database; `PURGES`: it purges what is in the bin. */
const run = async (): Promise<void> => {
  const fixture = await bootCatalog(process.env.DATABASE_URL);
  console.log(`ready ${fixture.running.url}`);
  if (process.env.PURGES) await purgeAll(fixture);
};

void run();
