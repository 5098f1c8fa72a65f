import { isDeepStrictEqual } from 'node:util';
import type { Metadata } from '@scrip/contracts/snapshot';

/** What a change says of metadata: the keys that have another value since, and those that are gone. */
export interface MetadataChange {
  set: Metadata;
  unset: string[];
}

/** Returns how metadata changed, key by key. Source: reference 04 §4.3. */
export const metadataChangeOf = (before: Metadata = {}, after: Metadata = {}): MetadataChange => ({
  set: Object.fromEntries(
    Object.entries(after).filter(
      ([key, value]) => !Object.hasOwn(before, key) || !isDeepStrictEqual(before[key], value),
    ),
  ),
  unset: Object.keys(before).filter((key) => !Object.hasOwn(after, key)),
});
