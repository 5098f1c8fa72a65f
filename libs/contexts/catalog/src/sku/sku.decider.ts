import type { ProductEvent, ProductSnapshot, SkuSnapshot } from '@scrip/contracts/catalog';
import { isRefused, notFound, type Refusal, refuse } from '@scrip/kernel';
import { changedRecord } from '@scrip/metadata-schemas';
import { type CatalogRefusal, duplicate } from '../catalog.refusals';
import type { ProductState } from '../product/product.decider';
import type { PurgeSku, SkuCommand, SkuFields, UpsertSku } from './sku.commands';

/** A stored SKU. In the bin, its id and source id stay taken. */
export interface StoredSku {
  status: 'LIVE' | 'BINNED';
  sku: SkuSnapshot;
}

/** What a command on a SKU is decided on: the product of the stream, and what is stored under the SKU's id. */
export interface SkuState {
  product: ProductState | undefined;
  stored: StoredSku | undefined;
}

/** An event of a SKU, in the stream of its product. */
export type SkuEvent = Extract<ProductEvent, { type: `Sku${string}` }>;

const empty = { sku: null, price: null, currency: null, attributes: {}, metadata: {}, image_url: null };

/** Refuses a SKU that belongs to another product. Source: reference 07 §6. */
export const skuOfAnotherProduct = ({ id, product_id }: { id: string; product_id: string }) =>
  refuse('resource_in_use', `Resource sku with id ${id} is in use by products with ids [${product_id}]`, {
    resourceId: id,
    resourceType: 'sku',
    related_object_ids: [product_id],
    related_object_type: 'product',
  });

const attributesMustBeDeclared = (
  { attributes }: SkuFields,
  product: ProductSnapshot,
): Refusal<'invalid_sku'> | null => {
  const unknown = Object.keys(attributes ?? {}).find((key) => !product.attributes.includes(key));
  return unknown === undefined
    ? null
    : refuse(
        'invalid_sku',
        `Attribute ${unknown} is not declared in the attributes of product ${product.id}`,
      );
};

const created = (command: UpsertSku): SkuEvent[] | CatalogRefusal => {
  const { id, product_id, source_id, fields, check, now } = command;
  const sku = { id, source_id, product_id, ...empty, ...fields, created_at: now, updated_at: null };
  return check?.(sku.metadata) ?? [{ type: 'SkuCreated', data: { sku } }];
};

const updated = (
  sku: SkuSnapshot,
  fields: SkuFields,
  { override, check, now }: Pick<UpsertSku, 'override' | 'check' | 'now'>,
): SkuEvent[] | CatalogRefusal => {
  const changed = changedRecord<SkuSnapshot>(sku, fields, {
    rule: override ? 'replace' : 'merge',
    check,
  });
  if (changed === null) return [];
  if (isRefused(changed)) return changed;
  return [{ type: 'SkuUpdated', data: { sku: { ...changed, updated_at: now } } }];
};

const upserted = (command: UpsertSku, stored: StoredSku | undefined): SkuEvent[] | CatalogRefusal => {
  if (!stored) return created(command);
  if (stored.sku.product_id !== command.product_id) return skuOfAnotherProduct(stored.sku);
  return stored.status === 'BINNED'
    ? duplicate('sku', 'id', command.id, [command.id, command.product_id])
    : updated(stored.sku, command.fields, command);
};

// Whatever became of its product: what lies in the bin has an entry there.
const purged = (
  { id, product_id, now }: PurgeSku,
  stored: StoredSku | undefined,
): SkuEvent[] | CatalogRefusal =>
  stored?.status === 'BINNED' && stored.sku.product_id === product_id
    ? [{ type: 'SkuPurged', data: { sku: stored.sku, purged_at: now } }]
    : notFound('sku', id);

/** What follows from a command; nothing where it changes nothing. Refuses `not_found`, which names the product before the
 *  SKU, `invalid_sku`, `resource_in_use` for the SKU of another product, `duplicate_found` for the id of one in the bin, `invalid_payload`
 *  for metadata that grew too large, and `metadata_validation_failed`. Source: reference 07 §6. */
export const decideSku = (
  command: SkuCommand,
  { product, stored }: SkuState,
): SkuEvent[] | CatalogRefusal => {
  if (command.type === 'PurgeSku') return purged(command, stored);
  const { id, product_id, now } = command;
  if (product?.status !== 'LIVE') return notFound('product', product_id);
  const undeclared =
    command.type === 'DeleteSku' ? null : attributesMustBeDeclared(command.fields, product.product);
  if (command.type === 'UpsertSku') return undeclared ?? upserted(command, stored);
  if (stored?.status !== 'LIVE' || stored.sku.product_id !== product_id) return notFound('sku', id);
  const { sku } = stored;
  switch (command.type) {
    case 'UpdateSku':
      return undeclared ?? updated(sku, command.fields, { override: false, check: command.check, now });
    case 'DeleteSku':
      return [{ type: 'SkuDeleted', data: { sku, permanent: command.permanent, deleted_at: now } }];
    default:
      return command satisfies never;
  }
};
