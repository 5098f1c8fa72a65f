import { waitUntil } from '@scrip/testing';
import { bootCatalog, type CatalogFixture } from '../catalog.fixture';

/** Where collections are. */
export const path = '/v1/product-collections';

/** The catalog that the specs of one file call. */
export let fixture: CatalogFixture;

/** For the top of a spec: boots a catalog for its tests. */
export const useCatalog = (): void => {
  beforeAll(async () => {
    fixture = await bootCatalog();
  });
  afterAll(() => fixture?.running.close());
};

export const create = (body: object, project?: string) => fixture.call('POST', path, body, project);
export const created = async (body: object, project?: string): Promise<any> => {
  const { status, body: collection } = await create(body, project);
  expect({ status, collection }).toMatchObject({ status: 200 });
  return collection;
};
export const product = async (body: object, project?: string): Promise<any> =>
  (await fixture.call('POST', '/v1/products', body, project)).body;
export const sku = async (productId: string, body: object, project?: string): Promise<any> =>
  (await fixture.call('POST', `/v1/products/${productId}/skus`, body, project)).body;
export const itemsOf = async (id: string, project?: string, query = ''): Promise<any> =>
  (await fixture.call('GET', `${path}/${id}/products?limit=100&order=created_at${query}`, undefined, project))
    .body;
export const sourceIds = async (id: string, project?: string, query?: string): Promise<string[]> =>
  (await itemsOf(id, project, query)).data.map((item: any) => item.source_id);
export const become = (id: string, expected: string[], project: string) =>
  waitUntil(async () => (await sourceIds(id, project)).join() === expected.join(), {
    what: `${expected.join()} in ${id}`,
  });
export const by = (field: string, operator: string, ...values: unknown[]) => ({
  junction: 'and',
  [field]: { conditions: { [operator]: values } },
});
/** The collection of everything. */
export const allProductsId = 'pc_a11pr0dUc75';

/** For the end of a spec. */
export const keepsStates = (): void =>
  it('keeps states that their events give', async () => {
    expect(await fixture.running.eventStores.get('catalog')?.verifyState()).toEqual([]);
  });
