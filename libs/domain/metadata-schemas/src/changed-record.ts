import { isDeepStrictEqual } from 'node:util';
import { type Refusal, refuse } from '@scrip/kernel';
import type { CheckMetadata, Metadata, MetadataRefusal } from './compile-schema';

/** What one record may have of metadata, its merged keys together, in bytes of JSON: as much as one request may send. */
const metadataBytes = 65_536;

/** Refuses metadata that grew too large. Source: reference 07 §1.1. */
export const metadataMustFit = (metadata: Metadata): Refusal<'invalid_payload'> | null =>
  Buffer.byteLength(JSON.stringify(metadata)) > metadataBytes
    ? refuse('invalid_payload', `Property .metadata should NOT be larger than ${metadataBytes} bytes`)
    : null;

/** How sent metadata meet the stored ones: their top-level keys are merged, or they are replaced whole.
 *  Source: reference 07 §18. */
export type MetadataRule = 'merge' | 'replace';

/** The record with the sent fields over it: unsent ones stay. Returns null where that changes nothing. Refuses
 *  `invalid_payload` for metadata that grew too large, and `metadata_validation_failed` for those that break the schema. Source: reference 07 §1.1. */
export const changedRecord = <Snapshot extends { metadata: Metadata }>(
  stored: Snapshot,
  sent: Partial<Snapshot>,
  { rule, check }: { rule: MetadataRule; check?: CheckMetadata },
): Snapshot | null | Refusal<'invalid_payload'> | MetadataRefusal => {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  const changed = { ...stored, ...(Object.fromEntries(given) as Partial<Snapshot>) };
  if (sent.metadata && rule === 'merge') changed.metadata = { ...stored.metadata, ...sent.metadata };
  const isSame = (field: string) =>
    isDeepStrictEqual(changed[field as keyof Snapshot], stored[field as keyof Snapshot]);
  if (given.every(([field]) => isSame(field))) return null;
  if (!sent.metadata) return changed;
  return metadataMustFit(changed.metadata) ?? check?.(changed.metadata, sent.metadata) ?? changed;
};
