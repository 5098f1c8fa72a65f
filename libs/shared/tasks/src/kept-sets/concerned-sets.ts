import type { StoredFilter } from '@scrip/list-query';
import type { KeptSet } from './kept-sets';

/** Returns those kept sets of projects whose filters a change concerns. `setsOf` reads those of a project; a set without a filter is
 *  never concerned. Throws what `setsOf` throws. Source: ADR 111. */
export const concernedSets = async (
  projectIds: readonly string[],
  setsOf: (projectId: string) => Promise<readonly { id: string; filter: StoredFilter | null }[]>,
  isConcerned: (filter: StoredFilter) => boolean,
): Promise<KeptSet[]> => {
  const concerned: KeptSet[] = [];
  for (const project_id of projectIds)
    for (const { id, filter } of await setsOf(project_id))
      if (filter !== null && isConcerned(filter)) concerned.push({ project_id, id });
  return concerned;
};
