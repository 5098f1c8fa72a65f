import type { ProductCollectionEvent, ProductCollectionSnapshot } from '@scrip/contracts/catalog';
import { notFound, type Refusal, refuse } from '@scrip/kernel';
import { isDeepStrictEqual } from 'node:util';
import { allProducts } from './all-products';
import type { CollectionCommand, CreateCollection, UpdateCollection } from './collection.commands';

/** Collections of a project without the built-in one, and records that a static one names. Source: reference 07 §16. */
export const collectionLimits = { collections: 100, products: 20 } as const;

/** What callers and errors call a collection. */
export const collectionType = 'products_collection';

export interface CollectionState {
  collection: ProductCollectionSnapshot;
  deleted: boolean;
}

/** What collections refuse with. */
export type CollectionRefusal = Refusal<
  | 'not_found'
  | 'duplicate_found'
  | 'invalid_payload'
  | 'invalid_query_params'
  | 'resource_in_use'
  | 'resource_protected'
>;

/** Refuses an id that no collection of the project has. */
export const collectionNotFound = (id: string): Refusal<'not_found'> => notFound(collectionType, id);

/** Refuses a name that another collection of the project has. Source: reference 07 §1.3. */
export const duplicateCollection = (name: string): Refusal<'duplicate_found'> =>
  refuse('duplicate_found', `Duplicated ${collectionType} exists with name ${name}`, {
    resourceId: name,
    resourceType: collectionType,
  });

/** Refuses a change of the built-in collection. */
export const builtInCollection = (): Refusal<'resource_protected'> =>
  refuse(
    'resource_protected',
    `Cannot change ${collectionType} with id ${allProducts.id}: every project has it`,
    { resourceId: allProducts.id, resourceType: collectionType },
  );

const nameMustBeFree = (name: string): CollectionRefusal | null =>
  name === allProducts.name ? duplicateCollection(name) : null;

/** Callers who send a source id, which other calls take, learn that a collection takes none. */
const unknownItem = ({ object, id }: NonNullable<CreateCollection['unknown']>): CollectionRefusal => {
  const refusal = notFound(object, id);
  return /^(prod|sku)_/.test(id)
    ? refusal
    : { ...refusal, details: `${refusal.details}: a collection takes ids (prod_…, sku_…), no source ids` };
};

const create = (command: CreateCollection): ProductCollectionEvent[] | CollectionRefusal => {
  const { id, name, collection_type: type, filter, products, unknown, existing, now } = command;
  if (unknown) return unknownItem(unknown);
  if (existing >= collectionLimits.collections) {
    return refuse(
      'invalid_payload',
      `A project can have at most ${collectionLimits.collections} product collections`,
    );
  }
  const collection = { id, name, type, filter, products, created_at: now, updated_at: null };
  return nameMustBeFree(name) ?? [{ type: 'ProductCollectionCreated', data: { collection } }];
};

const update = (
  { collection }: CollectionState,
  { id, name = collection.name, filter, now }: UpdateCollection,
): ProductCollectionEvent[] | CollectionRefusal => {
  if (filter !== undefined && collection.type === 'STATIC') {
    return refuse('invalid_payload', "Property .filter can be changed in 'AUTO_UPDATE' collections only");
  }
  const changed = { name, filter: filter ?? collection.filter };
  if (isDeepStrictEqual(changed, { name: collection.name, filter: collection.filter })) return [];
  return (
    nameMustBeFree(name) ?? [
      { type: 'ProductCollectionUpdated', data: { collection_id: id, ...changed, updated_at: now } },
    ]
  );
};

/** What follows from a command; an empty list where it changes nothing. Deletion is final. Refuses `not_found` (collection,
 *  product, sku), `duplicate_found` for the name of the built-in collection, and `invalid_payload` for more collections than
 *  a project may have and for a filter of a static one. Source: reference 07 §7. */
export const decideCollection = (
  command: CollectionCommand,
  state: CollectionState | undefined,
): ProductCollectionEvent[] | CollectionRefusal => {
  const live = state?.deleted ? undefined : state;
  switch (command.type) {
    case 'CreateCollection':
      return state ? [] : create(command);
    case 'UpdateCollection':
      return live ? update(live, command) : collectionNotFound(command.id);
    case 'DeleteCollection':
      return live
        ? [{ type: 'ProductCollectionDeleted', data: { collection_id: command.id } }]
        : collectionNotFound(command.id);
    default:
      return command satisfies never;
  }
};

/** Folds the stream `product-collection`; what belongs to it are rows beside it. Total: returns undefined for events before
 *  the first one, never throws or decides. */
export const evolveCollection = (
  state: CollectionState | undefined,
  event: ProductCollectionEvent,
): CollectionState | undefined => {
  switch (event.type) {
    case 'ProductCollectionCreated':
      return { collection: event.data.collection, deleted: false };
    case 'ProductCollectionUpdated': {
      const { name, filter, updated_at } = event.data;
      return state && { ...state, collection: { ...state.collection, name, filter, updated_at } };
    }
    case 'ProductCollectionDeleted':
      return state && { ...state, deleted: true };
    default:
      return event satisfies never;
  }
};
