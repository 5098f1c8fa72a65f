import type { ApiKeyIssued, ProjectEvent } from '@scrip/contracts';
import type { Decision } from '@scrip/event-store';
import type { Project } from './project';

/** Creates a project unless it exists. */
export const createProject =
  (wanted: Omit<Project, 'keys'>) =>
  (state: Project | undefined): Decision<ProjectEvent, { created: boolean }> =>
    state
      ? { events: [], answer: { created: false } }
      : { events: [{ type: 'ProjectCreated', data: wanted }], answer: { created: true } };

/** Tells of a key that was issued, unless the project knows it as it is. */
export const issueKey =
  (key: ApiKeyIssued['data']) =>
  (state: Project | undefined): Decision<ProjectEvent, null> => {
    const known = state?.keys[key.key_id];
    const same = known && known.kind === key.kind && known.name === key.name && known.role === key.role;
    return { events: same ? [] : [{ type: 'ApiKeyIssued', data: key }], answer: null };
  };
