import type { RefusalTableOf } from '@scrip/edge';
import { type Refusal, refuse } from '@scrip/kernel';

/** What the catalog refuses with. */
export type CatalogRefusalKey =
  | 'not_found'
  | 'duplicate_found'
  | 'invalid_payload'
  | 'invalid_query_params'
  | 'invalid_sku'
  | 'resource_protected'
  | 'metadata_validation_failed'
  | 'resource_in_use';

/** A refusal of the catalog. */
export type CatalogRefusal = Refusal<CatalogRefusalKey>;

/** Status and message of each key of its own; others mean the same everywhere. Source: reference 07 §1.3. */
export const catalogRefusals = {
  invalid_sku: { status: 400, message: 'Invalid SKU' },
  resource_protected: { status: 400, message: 'Resource protected' },
} satisfies RefusalTableOf<CatalogRefusalKey>;

const liesInTheBin = (ids: readonly string[]): string =>
  `. It lies in the trash bin: GET /v1/trash-bin?${ids.map((id, index) => `filters[resource_id][conditions][$in][${index}]=${id}`).join('&')}`;

/** Refuses a value that must be unique and that another record has. `field`: as callers send it. `binned`: where that record
 *  is known to lie in the bin, the ids of what may have its entry. Source: reference 07 §6. */
export const duplicate = (
  resourceType: 'product' | 'sku',
  field: 'id' | 'source_id' | 'name' | 'sku',
  value: string,
  binned: readonly string[] = [],
): Refusal<'duplicate_found'> =>
  refuse(
    'duplicate_found',
    `Duplicated ${resourceType} exists with ${field} ${value}${binned.length === 0 ? '' : liesInTheBin(binned)}`,
    { resourceId: value, resourceType },
  );
