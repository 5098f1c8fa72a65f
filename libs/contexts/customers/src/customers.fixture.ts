import type { AuthPort } from '@scrip/contracts/auth';
import { MetadataSchemas } from '@scrip/metadata';
import { FakeCoordinator } from '@scrip/claims/testing';
import type { CatalogPort } from '@scrip/contracts/catalog';
import type { OrderSnapshot } from '@scrip/contracts/customers';
import type { QualificationPort } from '@scrip/contracts/qualification';
import { EventStore, eventStoreMigrations } from '@scrip/event-store';
import { type RequestContext, Secret, fixedClock, newId, notFound } from '@scrip/kernel';
import {
  heldDifferences,
  type CalculatedOrder,
  type Discount,
  calculate,
  defaultStackingSettings,
  normaliseOrder,
} from '@scrip/order-calculation';
import { ListReader, Metrics } from '@scrip/service';
import type { ContextExports } from '@scrip/exports';
import type { ItemTasks } from '@scrip/tasks';
import { preparedDatabase, projectOf } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { CustomerErasures } from './customer/customer-erasures';
import { CustomerHandlers } from './customer/customer.handlers';
import { CustomerLists } from './customer/customer-lists.reads';
import { CustomerReads } from './customer/customer.reads';
import { CustomerVault } from './customer/customer-vault';
import { CustomerWriting } from './customer/customer-writing';
import { ListingFiller } from './customer/listing-filler';
import { UpsertCustomers } from './customer/upsert-customers';
import { customersMigrations } from './migrations';
import { CustomersPortHandlers } from './customers.port-handlers';
import { CustomerBlocksReads } from './summary/customer-blocks.reads';
import { CustomersWithBlocks } from './summary/customers-with-blocks.reads';
import { OrderClaims } from './order/order-claims';
import { OrderHandlers } from './order/order.handlers';
import { OrderReads } from './order/order.reads';
import type { SegmentLocations } from './segment/segment-locations';
import type { RestoreSegments } from './segment/restore-segments';
import type { SegmentReads } from './segment/segment.reads';

// Tasks run in booted processes.
const noTasks = {} as ItemTasks;
const noExports = {} as ContextExports;

const project = projectOf();

/** A merchant's call without a deadline. */
export const requestContext = (
  requestId = 'v-000000000000000001',
  projectId = project.id,
): RequestContext => ({
  requestId,
  project: { ...project, id: projectId },
  channel: 'API',
  apiKey: { id: 'app_1', name: 'Shop' },
  user: null,
  role: null,
  scopes: null,
  deadlineAt: Number.MAX_SAFE_INTEGER,
  traceparent: null,
});

const noLocations = {} as SegmentLocations;
const noSegments = {} as SegmentReads;
const noRestoring = {} as RestoreSegments;

/** A catalog in which nothing is stored. */
const emptyCatalog: CatalogPort = {
  checkExport: async () => ({ fits: true }),
  writeExport: async () => ({ rows: 0 }),
  resolveItems: async (_, { items }) => items.map(() => ({ product: null, sku: null })),
  overrideItems: async (_, { items }) => items.map(() => ({ product: null, sku: null })),
  loadAsyncAction: async (_, { id }) => notFound('async_action', id),
  readTaskReport: async (_, { id }) => notFound('async_action', id),
  listBinEntries: async () => [],
  purgeBinEntry: async (_, { id }) => notFound('bin_entry', id),
  matchCollections: async (_, { items }) => items.map(() => ({ product: [], sku: [] })),
  refersToLocation: async () => ({ ids: [] }),
  retestLocation: async () => ({ begun: 0 }),
  keepRecords: async () => ({ products: [], skus: [], collections: [] }),
  restoreRecords: async () => ({ renamed: [], created: [] }),
};

/** One process of the context, without Nest. */
export interface CustomersProcess {
  dataSource: DataSource;
  eventStore: EventStore;
  port: CustomersPortHandlers;
  customers: CustomerHandlers;
  erasures: CustomerErasures;
  sets: UpsertCustomers;
  lists: CustomerLists;
  filler: ListingFiller;
  claims: OrderClaims;
  orderHandlers: OrderHandlers;
  metrics: Metrics;
  vault: CustomerVault;
}

const connect = async (url: string): Promise<DataSource> => {
  const dataSource = await new DataSource({
    type: 'postgres',
    url,
    poolSize: 12,
    installExtensions: false,
    migrations: [...eventStoreMigrations, ...customersMigrations],
  }).initialize();
  await dataSource.runMigrations({ transaction: 'each' });
  return dataSource;
};

const migrate = async (url: string): Promise<void> => (await connect(url)).destroy();

const startProcess = async (url: string, coordinator: QualificationPort): Promise<CustomersProcess> => {
  const dataSource = await connect(url);
  const eventStore = new EventStore('customers', dataSource);
  await eventStore.start();
  const clock = fixedClock('2026-03-31T10:00:00.000Z');
  const vault = new CustomerVault(
    { masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')) },
    Buffer.alloc(32, 8),
  );
  const reads = new CustomerReads(dataSource, vault);
  const metadata = new MetadataSchemas({} as AuthPort);
  const writing = new CustomerWriting(vault, clock, metadata);
  const customers = new CustomerHandlers(eventStore, reads, vault, writing);
  const erasures = new CustomerErasures(eventStore, reads, vault, writing);
  const orders = new OrderReads(dataSource);
  const metrics = new Metrics();
  const claims = new OrderClaims(eventStore, dataSource, coordinator, metrics, orders);
  const blocks = new CustomerBlocksReads(dataSource);
  const sets = new UpsertCustomers(eventStore, dataSource, vault, writing);
  const port = new CustomersPortHandlers(
    customers,
    sets,
    orders,
    claims,
    noTasks,
    noExports,
    noLocations,
    blocks,
    new CustomersWithBlocks(dataSource, reads, vault),
    noSegments,
    noRestoring,
  );
  const orderHandlers = new OrderHandlers(claims, orders, customers, clock, emptyCatalog, metadata);
  const listReader = new ListReader(dataSource, { poolSize: 12, statementTimeoutMs: 10_000 });
  const lists = new CustomerLists(dataSource, listReader, reads, vault);
  const filler = new ListingFiller(dataSource, reads, vault);
  return {
    dataSource,
    eventStore,
    port,
    customers,
    erasures,
    sets,
    lists,
    filler,
    claims,
    orderHandlers,
    metrics,
    vault,
  };
};

/** A context with a database of its own; `second()` starts another process beside it. */
export const startCustomers = async (name: string) => {
  const url = await preparedDatabase('customers', migrate, name);
  const coordinator = new FakeCoordinator();
  const processes = [await startProcess(url, coordinator)];
  return {
    ...processes[0]!,
    coordinator,
    second: async (): Promise<CustomersProcess> => {
      const another = await startProcess(url, coordinator);
      processes.push(another);
      return another;
    },
    stop: async (): Promise<void> => {
      await Promise.all(processes.map(({ dataSource }) => dataSource.destroy()));
    },
  };
};

/** What a redemption of `discount`, else of `amountOff`, makes of an order: of a new one of 1000, or of `stored`. */
export const draftOf = (
  redemptionId: string,
  {
    stored,
    amountOff = 100,
    discount = { type: 'AMOUNT', amount_off: amountOff },
    ...fields
  }: { stored?: OrderSnapshot; amountOff?: number; discount?: Discount } & Partial<OrderSnapshot> = {},
): OrderSnapshot => {
  const state = normaliseOrder(
    stored ? {} : { items: [{ product_id: 'prod_1', price: 500, quantity: 2 }] },
    stored ? { namedBy: 'id', order: stored, differences: Object.values(heldDifferences(stored)) } : null,
  );
  if ('refused' in state) throw new Error('no order');
  const calculation = calculate(
    state,
    [{ object: 'voucher', id: 'CODE', incentive: { discount } }],
    defaultStackingSettings,
  );
  return {
    id: stored?.id ?? newId('ord_'),
    source_id: stored?.source_id ?? null,
    status: 'PAID',
    customer_id: 'cust_1',
    referrer_id: null,
    ...(calculation.order as CalculatedOrder),
    metadata: {},
    redemptions: {
      ...stored?.redemptions,
      [redemptionId]: {
        date: '2026-03-31T10:00:00.000Z',
        related_object_type: 'voucher',
        related_object_id: 'v_1',
        related_object_parent_id: 'camp_1',
        difference: calculation.difference!,
      },
    },
    created_at: '2026-03-31T10:00:00.000Z',
    updated_at: stored ? '2026-03-31T10:00:00.000Z' : null,
    ...fields,
  };
};
