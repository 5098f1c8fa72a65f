/** Brings an event's data from one schema version to the next. Pure; never sees newer data. */
export type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

/** Event type → its upcasters, oldest first. */
export type Upcasters = Readonly<Record<string, readonly Upcaster[]>>;

/** The schema version of newly appended events of `type`. */
export const newestSchemaVersion = (upcasters: Upcasters | undefined, type: string): number =>
  1 + (upcasters?.[type]?.length ?? 0);

/** `data` of an event stored with `schemaVersion`, in the newest version. Data of an unknown, newer version (written
 *  by a newer release during a rollout) is returned as it is. Source: reference 06 §9.3. */
export const upcast = (
  upcasters: Upcasters | undefined,
  type: string,
  schemaVersion: number,
  data: Record<string, unknown>,
): Record<string, unknown> =>
  (upcasters?.[type] ?? []).slice(schemaVersion - 1).reduce((older, upcaster) => upcaster(older), data);
