export {
  type CreatedResource,
  keptBytesMax,
  type RenamedResource,
  type ResourceObject,
  type RestoredResources,
} from './kept-resources';

/** A JSON object as an API caller sent it. */
export type Metadata = Record<string, unknown>;

/** An API call's or job's ISO 8601 instant in UTC with milliseconds, e.g. `2026-03-31T10:00:00.000Z`. */
export type Instant = string;

/** A category as redeemables show it. Source: reference 04 §9. */
export interface CategorySnapshot {
  id: string;
  name: string;
  hierarchy: number;
  object: 'category';
  created_at: Instant;
  updated_at?: Instant;
}
