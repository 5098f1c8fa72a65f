import type { ProductEvent, ProductSnapshot } from '@scrip/contracts/catalog';
import { isRefused, notFound } from '@scrip/kernel';
import { changedRecord } from '@scrip/metadata-schemas';
import { type CatalogRefusal, duplicate } from '../catalog.refusals';
import type {
  ProductCommand,
  ProductFields,
  PurgeProduct,
  UpdateProduct,
  UpsertProduct,
} from './product.commands';

/** A product that calls find. `name_shared`: other live products may have its name. */
export interface LiveProduct {
  status: 'LIVE';
  product: ProductSnapshot;
  name_shared: boolean;
}

/** A product in the bin: its id and source id stay taken. */
export interface BinnedProduct {
  status: 'BINNED';
  product: ProductSnapshot;
  deleted_at: string;
}

/** What is left of a product that was deleted permanently, or purged: nothing but its stream. */
export interface ErasedProduct {
  status: 'ERASED';
}

/** What the events of a product fold to; undefined before the first one. */
export type ProductState = LiveProduct | BinnedProduct | ErasedProduct;

const empty = { name: null, price: null, attributes: [], metadata: {}, image_url: null };

const created = ({
  id,
  source_id,
  fields,
  override,
  check,
  now,
}: UpsertProduct): ProductEvent[] | CatalogRefusal => {
  const product = { id, source_id, ...empty, ...fields, created_at: now, updated_at: null };
  return check?.(product.metadata) ?? [{ type: 'ProductCreated', data: { product, name_shared: override } }];
};

const updated = (
  { product, name_shared }: LiveProduct,
  fields: ProductFields,
  { override, check, now }: Pick<UpsertProduct, 'override' | 'check' | 'now'>,
): ProductEvent[] | CatalogRefusal => {
  const changed = changedRecord<ProductSnapshot>(product, fields, {
    rule: override ? 'replace' : 'merge',
    check,
  });
  if (changed === null) return [];
  if (isRefused(changed)) return changed;
  return [
    {
      type: 'ProductUpdated',
      data: {
        product: { ...changed, updated_at: now },
        name_shared: changed.name === product.name ? name_shared : override,
      },
    },
  ];
};

const upserted = (
  command: UpsertProduct,
  state: ProductState | undefined,
): ProductEvent[] | CatalogRefusal => {
  if (!state || state.status === 'ERASED') return created(command);
  return state.status === 'BINNED'
    ? duplicate('product', 'id', command.id, [command.id])
    : updated(state, command.fields, command);
};

const purged = (
  { id, now }: PurgeProduct,
  state: ProductState | undefined,
): ProductEvent[] | CatalogRefusal =>
  state?.status === 'BINNED'
    ? [{ type: 'ProductPurged', data: { product: state.product, purged_at: now } }]
    : notFound('product', id);

/** What follows from a command; nothing where it changes nothing. Refuses `not_found`, `duplicate_found` for the id of a
 *  product in the bin, `invalid_payload` for metadata that grew too large, and `metadata_validation_failed`. Source: reference 07 §6. */
export const decideProduct = (
  command: ProductCommand,
  state: ProductState | undefined,
): ProductEvent[] | CatalogRefusal => {
  if (command.type === 'UpsertProduct') return upserted(command, state);
  if (command.type === 'PurgeProduct') return purged(command, state);
  if (state?.status !== 'LIVE') return notFound('product', command.id);
  const { now } = command;
  switch (command.type) {
    case 'UpdateProduct':
      return updated(state, (command satisfies UpdateProduct).fields, {
        override: false,
        check: command.check,
        now,
      });
    case 'DeleteProduct': {
      const { product } = state;
      return [{ type: 'ProductDeleted', data: { product, permanent: command.permanent, deleted_at: now } }];
    }
    default:
      return command satisfies never;
  }
};

/** Folds the stream `product`. Events of SKUs change rows of their own. Total: returns undefined for events before the
 *  first one, never throws or decides. Source: ADR 74. */
export const evolveProduct = (
  state: ProductState | undefined,
  event: ProductEvent,
): ProductState | undefined => {
  switch (event.type) {
    case 'ProductCreated':
    case 'ProductUpdated':
      return { status: 'LIVE', ...event.data };
    case 'ProductDeleted': {
      const { product, permanent, deleted_at } = event.data;
      return permanent ? { status: 'ERASED' } : { status: 'BINNED', product, deleted_at };
    }
    case 'ProductPurged':
      return { status: 'ERASED' };
    case 'ProductAttributesDropped':
    case 'SkuCreated':
    case 'SkuUpdated':
    case 'SkuDeleted':
    case 'SkuPurged':
      return state;
    default:
      return event satisfies never;
  }
};
