import type { RefusalTableOf } from '@scrip/edge';
import type { Refusal } from '@scrip/kernel';

/** What the gallery refuses with. */
export type GalleryRefusalKey = 'not_found' | 'duplicate_found' | 'invalid_query_params';

/** A refusal of the gallery. */
export type GalleryRefusal = Refusal<GalleryRefusalKey>;

/** Status and message of each key of its own; others mean the same everywhere. Source: reference 07 §1.3. */
export const galleryRefusals = {} satisfies RefusalTableOf<GalleryRefusalKey>;
