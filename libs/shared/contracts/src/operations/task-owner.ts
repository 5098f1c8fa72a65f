/** Contexts that run background tasks, by what the ids of their tasks begin with. Source: architecture §5. */
const prefixes = { campaigns: 'aa_c', customers: 'aa_u', catalog: 'aa_p' } as const;

/** A context whose tasks GET /v1/async-actions shows. */
export type TaskOwner = keyof typeof prefixes;

/** What ids of a context's tasks begin with. */
export const taskIdPrefix = prefixes;

/** Who runs the task with this id; null when no task can have it. */
export const taskOwner = (id: string): TaskOwner | null =>
  (Object.keys(prefixes) as TaskOwner[]).find((owner) => id.startsWith(prefixes[owner])) ?? null;
