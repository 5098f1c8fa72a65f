import type { ProductEvent } from '@scrip/contracts/catalog';
import { givenFor } from '@scrip/testing';
import type { ProductCommand, ProductFields } from './product.commands';
import { decideProduct, evolveProduct, type ProductState } from './product.decider';
import { productSnapshot, skuSnapshot } from './product.fixture';

const given = givenFor<ProductCommand, ProductState | undefined, ProductEvent>({
  decide: decideProduct,
  evolve: evolveProduct,
  initialState: undefined,
});

const [at, later] = ['2026-03-31T10:00:00.000Z', '2026-04-01T10:00:00.000Z'];
const { id, source_id, created_at, updated_at, ...fields } = productSnapshot();
const shirt = productSnapshot();
const created: ProductEvent = { type: 'ProductCreated', data: { product: shirt, name_shared: false } };
const deleted = (permanent: boolean): ProductEvent => ({
  type: 'ProductDeleted',
  data: { product: shirt, permanent, deleted_at: later },
});
const upsert = (sent: ProductFields, options: { override?: boolean; now?: string } = {}): ProductCommand => ({
  type: 'UpsertProduct',
  id,
  source_id,
  fields: sent,
  override: false,
  now: later,
  ...options,
});
const update = (sent: ProductFields): ProductCommand => ({
  type: 'UpdateProduct',
  id,
  fields: sent,
  now: later,
});
const remove = (permanent: boolean): ProductCommand => ({ type: 'DeleteProduct', id, permanent, now: later });
const purge: ProductCommand = { type: 'PurgeProduct', id, now: later };
const becomes = (changed: ProductFields, name_shared = false): ProductEvent => ({
  type: 'ProductUpdated',
  data: { product: { ...shirt, ...changed, updated_at: later }, name_shared },
});

describe('an upsert (reference 07 §6)', () => {
  it('creates what is unknown', () => {
    given()
      .when(upsert(fields, { now: at }))
      .then(created);
  });

  it('leaves empty what was not sent', () => {
    const nothing = { name: null, price: null, attributes: [], metadata: {}, image_url: null };
    given()
      .when(upsert({}))
      .thenState({
        status: 'LIVE',
        name_shared: false,
        product: { id, source_id, ...nothing, created_at: later, updated_at: null },
      });
  });

  it('changes what exists, and nothing where all is the same', () => {
    given(created)
      .when(upsert({ price: 2_300 }))
      .then(becomes({ price: 2_300 }));
    given(created).when(upsert(fields)).then();
  });

  it('refuses the id of a product in the bin', () => {
    given(created, deleted(false)).when(upsert(fields)).thenRefused('duplicate_found', {
      details:
        'Duplicated product exists with id prod_1. It lies in the trash bin: GET /v1/trash-bin?filters[resource_id][conditions][$in][0]=prod_1',
      resourceId: 'prod_1',
    });
  });

  it('creates anew what was deleted permanently', () => {
    given(created, deleted(true))
      .when(upsert(fields, { now: at }))
      .then(created);
  });

  it('with override replaces metadata, and the name may be another product’s', () => {
    given(created)
      .when(upsert({ name: 'Tee', metadata: { a: 1 } }, { override: true }))
      .then(becomes({ name: 'Tee', metadata: { a: 1 } }, true));
    given(created)
      .when(upsert({ price: 1 }, { override: true }))
      .then(becomes({ price: 1 }));
  });
});

describe('a change of a product', () => {
  it.each<[string, ProductFields, ProductFields]>([
    ['replaces a field', { name: 'Tee' }, { name: 'Tee' }],
    ['stores null', { price: null }, { price: null }],
    ['replaces attributes whole', { attributes: ['size'] }, { attributes: ['size'] }],
    ['merges metadata by top-level key', { metadata: { a: 1 } }, { metadata: { season: 'spring', a: 1 } }],
    ['stores null in metadata', { metadata: { season: null } }, { metadata: { season: null } }],
  ])('%s', (_, sent, changed) => {
    given(created).when(update(sent)).then(becomes(changed));
  });

  it('keeps a name that orders gave shared until another is given', () => {
    const shared: ProductEvent = { type: 'ProductCreated', data: { product: shirt, name_shared: true } };
    given(shared)
      .when(update({ price: 1 }))
      .then(becomes({ price: 1 }, true));
    given(shared)
      .when(update({ name: 'Tee' }))
      .then(becomes({ name: 'Tee' }, false));
  });

  it('refuses metadata whose merged keys are too large together', () => {
    given(created)
      .when(update({ metadata: { text: 'x'.repeat(65_536) } }))
      .thenRefused('invalid_payload', {
        details: 'Property .metadata should NOT be larger than 65536 bytes',
      });
  });

  it.each([[[]], [[created, deleted(false)]], [[created, deleted(true)]]])(
    'needs a live product',
    (past: ProductEvent[]) => {
      given(...past)
        .when(update({ price: 1 }))
        .thenRefused('not_found', { details: 'Cannot find product with id prod_1' });
      given(...past)
        .when(remove(false))
        .thenRefused('not_found', { resourceId: 'prod_1', resourceType: 'product' });
    },
  );
});

describe('a deletion', () => {
  it.each([true, false])('tells what was deleted, and how: permanent %s', (permanent) => {
    given(created).when(remove(permanent)).then(deleted(permanent));
  });

  it('into the bin keeps the product, a permanent one keeps nothing', () => {
    given(created).when(remove(false)).thenState({ status: 'BINNED', product: shirt, deleted_at: later });
    given(created).when(remove(true)).thenState({ status: 'ERASED' });
  });
});

describe('a purge', () => {
  it('leaves nothing of a product in the bin', () => {
    given(created, deleted(false))
      .when(purge)
      .then({ type: 'ProductPurged', data: { product: shirt, purged_at: later } });
    given(created, deleted(false)).when(purge).thenState({ status: 'ERASED' });
  });

  it.each([[[]], [[created]], [[created, deleted(true)]]])(
    'needs a product in the bin',
    (past: ProductEvent[]) => {
      given(...past)
        .when(purge)
        .thenRefused('not_found', { resourceId: 'prod_1', resourceType: 'product' });
    },
  );
});

test('events of SKUs leave their product as it is', () => {
  const sku = skuSnapshot();
  const before = evolveProduct(undefined, created);
  const events: ProductEvent[] = [
    { type: 'SkuCreated', data: { sku } },
    { type: 'SkuUpdated', data: { sku } },
    { type: 'SkuDeleted', data: { sku, permanent: true, deleted_at: later } },
    { type: 'SkuPurged', data: { sku, purged_at: later } },
  ];
  expect(events.reduce(evolveProduct, before)).toEqual(before);
});
