import { databasesOf, differencesIn, reconcile } from '@scrip/reconcile';
import { type Scrip, createDatabase, discard, patientAnswers, startScrip, waitUntil } from '@scrip/testing';
import { openBeside, seed, type Seeding } from './seed';
import { emailOf, largeCity } from './seed-records';

const each = 300;
const sizes = { customers: each, orders: each, products: each, skusOfOne: 5 };

let scrip: Scrip;
let databaseUrl: string;
let seeding: Seeding;

beforeAll(async () => {
  databaseUrl = await createDatabase('seeded');
  // Records are stored in the databases: what serves them is one process.
  scrip = await startScrip({ databaseUrl, environment: patientAnswers, shape: 'embedded' });
  const projectId = scrip.credentials.project_id;
  seeding = await seed({ databaseUrl, dataDir: scrip.dataDir, projectId }, sizes);
});
afterAll(() => scrip && discard(scrip));

const list = <Answer>(path: string) => scrip.ask<Answer>('GET', path);

describe('seeded records', () => {
  it('are found, shown and changed as those that calls stored', async () => {
    type Customers = { total: number; customers: { id: string; email: string; source_id: string }[] };
    const byEmail = await list<Customers>(`/v1/customers?email=${emailOf(7)}`);
    expect(byEmail.customers).toEqual([
      expect.objectContaining({ source_id: 'customer-7', email: emailOf(7) }),
    ]);
    expect((await list<Customers>(`/v1/customers?city=${largeCity}`)).total).toBe(each / 10);
    const { id } = byEmail.customers[0]!;
    await scrip.ask('PUT', `/v1/customers/${id}`, { name: 'Another' });
    expect((await list<Customers>('/v1/customers?name=Another')).customers).toMatchObject([{ id }]);
    const order = await list<{ status: string; items: object[] }>('/v1/orders/order-3');
    expect(order).toMatchObject({
      status: 'FULFILLED',
      items: [{ product: { name: 'Product 93' } }, { product: { name: 'Product 51' } }],
    });
    const skus = await list<{ total: number }>(`/v1/products/${seeding.firstProductId}/skus`);
    expect(skus.total).toBe(sizes.skusOfOne);
  });

  it('agree with their events, and nothing in other contexts contradicts them', async () => {
    const databases = databasesOf([], () => databaseUrl);
    await waitUntil(async () => differencesIn(await reconcile(databases, 0)) === 0, {
      what: 'consumers to have read the seed',
    });
    const opened = await openBeside({ databaseUrl, dataDir: scrip.dataDir });
    try {
      for (const context of ['customers', 'catalog'] as const)
        expect(await opened.eventStores.get(context)!.verifyState()).toEqual([]);
    } finally {
      await opened.close();
    }
  });
});
