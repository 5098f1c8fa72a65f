import type { ValueKind } from '../conditions/conditions';

/** The metadata schemas that rules look into. Source: reference 02 §3, reference 07 §8. */
export type MetadataSchemaName =
  'customer' | 'order' | 'order_item' | 'product' | 'redemption' | 'custom_event';

/** The type that a metadata schema gives to a property (`number`, `date`, `datetime`, …); undefined: it defines none.
 *  Source: reference 02 §2. */
export type MetadataTypes = (schema: MetadataSchemaName, property: string) => string | undefined;

/** How values of a metadata type are compared. */
export const kindOfMetadata = (
  type: string | undefined,
): 'metadata' | 'numberMetadata' | ('timeMetadata' & ValueKind) => {
  switch (type) {
    case 'number':
      return 'numberMetadata';
    case 'date':
    case 'datetime':
      return 'timeMetadata';
    default:
      return 'metadata';
  }
};
