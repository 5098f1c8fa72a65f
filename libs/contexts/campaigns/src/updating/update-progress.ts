/** The last voucher of a chunk, as its index orders them. */
export interface ChunkEnd {
  created_at: string;
  id: string;
}

/** How far the vouchers of a campaign have followed a change: first those whose columns say what lists filter by, then those of each
 *  definition. `count`: vouchers that the change reached. */
export type Progress = { count: number } & (
  | { phase: 'OWN'; after: ChunkEnd | null }
  | { phase: 'SHARED'; definition_id: string; after: ChunkEnd | null }
  | { phase: 'DONE' }
);

/** Before the first chunk. */
export const begun: Progress = { phase: 'OWN', after: null, count: 0 };
