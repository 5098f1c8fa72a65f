import type { ProductCollectionEvent, ProductCollectionSnapshot } from '@scrip/contracts/catalog';
import { givenFor } from '@scrip/testing';
import type { CollectionCommand, CreateCollection } from './collection.commands';
import {
  collectionLimits,
  type CollectionState,
  decideCollection,
  evolveCollection,
} from './collection.decider';

const given = givenFor<CollectionCommand, CollectionState | undefined, ProductCollectionEvent>({
  decide: decideCollection,
  evolve: evolveCollection,
  initialState: undefined,
});

const [at, later] = ['2026-03-31T10:00:00.000Z', '2026-04-01T10:00:00.000Z'];
const filter = { junction: 'and', price: { conditions: { $less_than: [1_000] } } };
const other = { junction: 'and', price: { conditions: { $less_than: [100] } } };
const shirt = { id: 'prod_1', object: 'product' } as const;
const fields = { type: 'STATIC', filter: null, products: [shirt] } as const;

const collection = (changed: Partial<ProductCollectionSnapshot> = {}): ProductCollectionSnapshot => ({
  id: 'pc_1',
  name: 'Cheap',
  type: 'AUTO_UPDATE',
  filter,
  products: null,
  created_at: at,
  updated_at: null,
  ...changed,
});
const created = (changed: Partial<ProductCollectionSnapshot> = {}): ProductCollectionEvent => ({
  type: 'ProductCollectionCreated',
  data: { collection: collection(changed) },
});
const deleted: ProductCollectionEvent = { type: 'ProductCollectionDeleted', data: { collection_id: 'pc_1' } };

const create = (changed: Partial<CreateCollection> = {}): CollectionCommand => ({
  type: 'CreateCollection',
  id: 'pc_1',
  name: 'Cheap',
  collection_type: 'AUTO_UPDATE',
  filter,
  products: null,
  unknown: null,
  existing: 0,
  now: at,
  ...changed,
});
const update = (changed: object): CollectionCommand => ({
  type: 'UpdateCollection',
  id: 'pc_1',
  now: later,
  ...changed,
});
const remove: CollectionCommand = { type: 'DeleteCollection', id: 'pc_1' };
const ofStatic = { collection_type: 'STATIC', filter: null, products: [shirt] } as const;

describe('a product collection (reference 07 §7)', () => {
  it('is created once', () => {
    given().when(create()).then(created());
    given(created()).when(create()).then();
    given(created(), deleted).when(create()).then();
  });

  it('has the records that a static one is created with, all of which exist', () => {
    given()
      .when(create({ ...ofStatic, products: [shirt] }))
      .then(created({ ...fields, products: [shirt] }));
    given()
      .when(create({ ...ofStatic, products: [shirt], unknown: shirt }))
      .thenRefused('not_found', {
        resourceId: 'prod_1',
        resourceType: 'product',
        details: 'Cannot find product with id prod_1',
      });
  });

  it('takes no source ids of records, and says so', () => {
    const unknown = { object: 'product', id: 'shirt-1' } as const;
    given()
      .when(create({ ...ofStatic, products: [unknown], unknown }))
      .thenRefused('not_found', {
        details: 'Cannot find product with id shirt-1: a collection takes ids (prod_…, sku_…), no source ids',
      });
  });

  it('is one of at most 100 in a project', () => {
    const { collections } = collectionLimits;
    given()
      .when(create({ existing: collections - 1 }))
      .then(created());
    given()
      .when(create({ existing: collections }))
      .thenRefused('invalid_payload', {
        details: 'A project can have at most 100 product collections',
      });
  });

  it('has another name than the built-in one', () => {
    const refusal = {
      resourceId: 'All Products',
      resourceType: 'products_collection',
      details: 'Duplicated products_collection exists with name All Products',
    };
    given()
      .when(create({ name: 'All Products' }))
      .thenRefused('duplicate_found', refusal);
    given(created())
      .when(update({ name: 'All Products' }))
      .thenRefused('duplicate_found', refusal);
  });

  it('changes its name, and its filter where it has one', () => {
    given(created())
      .when(update({ filter: other }))
      .thenState({ collection: collection({ filter: other, updated_at: later }), deleted: false });
    const named = created({ ...fields, products: [shirt] });
    given(named)
      .when(update({ name: 'Shirts' }))
      .thenState({
        collection: collection({ ...fields, products: [shirt], name: 'Shirts', updated_at: later }),
        deleted: false,
      });
    given(named)
      .when(update({ filter: other }))
      .thenRefused('invalid_payload', {
        details: "Property .filter can be changed in 'AUTO_UPDATE' collections only",
      });
  });

  it('stays as it is where nothing changes', () => {
    given(created())
      .when(update({ name: 'Cheap', filter }))
      .then();
    given(created()).when(update({})).then();
  });

  it('is deleted once, for good', () => {
    given(created()).when(remove).then(deleted);
    for (const command of [remove, update({ name: 'x' })])
      given(created(), deleted).when(command).thenRefused('not_found', {
        resourceId: 'pc_1',
        resourceType: 'products_collection',
        details: 'Cannot find products_collection with id pc_1',
      });
  });
});
