import { bootCatalog } from './catalog.fixture';

/** Boots the catalog in a process of its own, to be killed. `DATABASE_URL`: its database. */
const run = async (): Promise<void> => {
  const { running } = await bootCatalog(process.env.DATABASE_URL);
  console.log(`ready ${running.url}`);
};

void run();
