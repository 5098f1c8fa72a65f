import { masterKeyOf, openDataDirectory } from '@scrip/data-directory';
import { CatalogSeed } from '@scrip/catalog';
import { allContexts } from '@scrip/contexts';
import { CustomersSeed } from '@scrip/customers';
import { embeddedEdge } from '@scrip/edge';
import { Secret } from '@scrip/kernel';
import { type OpenConsumers, openConsumers, readSettings } from '@scrip/service';
import { InternalContexts } from '@scrip/tasks';
import { type SeedSizes, customerAt, orderAt, productAt, timesUntil } from './seed-records';

/** Which running Scrip gets the records: its first project. */
export interface Seeded {
  databaseUrl: string;
  dataDir: string;
  projectId: string;
}

/** What a seed made, and how long that took. */
export interface Seeding {
  /** Of the product with many SKUs. */
  firstProductId: string;
  /** By kind of record. */
  seconds: Record<'products' | 'customers' | 'orders', number>;
}

const setSize = 2_000;
/** One encrypts while PostgreSQL writes for another. */
const lanes = 3;

/** Makes and stores `count` records by the set; sets of several lanes are on their way at the same time. */
const inSets = async <Item>(
  count: number,
  make: (at: number) => Item,
  store: (items: readonly Item[]) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      const from = next;
      next = Math.min(count, from + setSize);
      await store(Array.from({ length: next - from }, (_, place) => make(from + place)));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};

const secondsOf = async (work: () => Promise<void>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
};

const store = async (opened: OpenConsumers, projectId: string, sizes: SeedSizes): Promise<Seeding> => {
  const context = await opened.get(InternalContexts).of(projectId);
  if (!context) throw new Error(`there is no project ${projectId}`);
  const [catalog, customers] = [opened.get(CatalogSeed), opened.get(CustomersSeed)];
  const end = new Date();
  const [productIds, customerIds] = [new Array<string>(sizes.products), new Array<string>(sizes.customers)];
  const times = {
    products: timesUntil(end, sizes.products),
    customers: timesUntil(end, sizes.customers),
    orders: timesUntil(end, sizes.orders),
  };
  const products = (at: number) => {
    const product = productAt(at, sizes, times.products);
    productIds[at] = product.id;
    return product;
  };
  const newCustomer = (at: number) => {
    const customer = customerAt(at, times.customers);
    customerIds[at] = customer.id;
    return customer;
  };
  const seconds = {
    products: await secondsOf(() =>
      inSets(sizes.products, products, (set) => catalog.storeProducts(context, set)),
    ),
    customers: await secondsOf(() =>
      inSets(sizes.customers, newCustomer, (set) => customers.storeCustomers(context, set)),
    ),
    orders: await secondsOf(() =>
      inSets(
        sizes.orders,
        (at) => orderAt(at, { customerIds, productIds }, times.orders),
        (set) => customers.storeOrders(context, set),
      ),
    ),
  };
  return { firstProductId: productIds[0] ?? '', seconds };
};

/** Opens the contexts of a running Scrip beside it; nothing is consumed or served. */
export const openBeside = ({ databaseUrl, dataDir }: Pick<Seeded, 'databaseUrl' | 'dataDir'>) => {
  const directory = openDataDirectory(dataDir);
  const config = {
    ...readSettings({}),
    dataDir: directory,
    databaseUrl: new Secret(databaseUrl),
    masterKey: masterKeyOf(directory),
  };
  return openConsumers({ contexts: allContexts, config, edge: embeddedEdge });
};

/** Gives the first project of a running Scrip records as calls would have stored them, by the code of their contexts. Source:
 *  ADR 106. */
export const seed = async ({ projectId, ...scrip }: Seeded, sizes: SeedSizes): Promise<Seeding> => {
  const opened = await openBeside(scrip);
  try {
    return await store(opened, projectId, sizes);
  } finally {
    await opened.close();
  }
};
