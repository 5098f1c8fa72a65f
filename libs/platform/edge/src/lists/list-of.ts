/** The envelope of a list: `data_ref` names the array property. Source: reference 07 §1.4. */
export const listOf = <Ref extends string, Item>(
  ref: Ref,
  items: readonly Item[],
  counts: { total?: number; has_more?: boolean; more_starting_after?: string } = {},
): { object: 'list'; data_ref: Ref } & Record<Ref, readonly Item[]> & typeof counts =>
  ({ object: 'list', data_ref: ref, [ref]: items, ...counts }) as { object: 'list'; data_ref: Ref } & Record<
    Ref,
    readonly Item[]
  > &
    typeof counts;

/** `limit + 1` loaded rows as a page: the first `limit`, and whether there is more. */
export const pageOf = <Item>(
  loaded: readonly Item[],
  limit: number,
): { items: Item[]; hasMore: boolean } => ({
  items: loaded.slice(0, limit),
  hasMore: loaded.length > limit,
});
