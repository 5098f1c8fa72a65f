import type { CheckMetadata, Metadata, MetadataRefusal } from './compile-schema';

/** The project's schemas of orders and of their items. */
export interface OrderChecks {
  order: CheckMetadata;
  item: CheckMetadata;
}

/** What a write of an order carries. `stored`: metadata of the order that it changes; null: it creates one. */
export interface WrittenOrder {
  stored: Metadata | null;
  sent: {
    metadata?: Metadata | null;
    items?: readonly { metadata?: Metadata | null }[] | null;
  };
}

/** Refuses metadata of an order that is created, or of what is sent for a stored one; then of its items. Pure.
 *  Source: reference 07 §8. */
export const orderMetadataRefusal = (
  { order, item }: OrderChecks,
  { stored, sent }: WrittenOrder,
): MetadataRefusal | null => {
  const misfit =
    stored && !sent.metadata ? null : order({ ...stored, ...sent.metadata }, sent.metadata ?? {});
  if (misfit) return misfit;
  for (const { metadata } of sent.items ?? []) {
    const refusal = item(metadata ?? {});
    if (refusal) return refusal;
  }
  return null;
};
