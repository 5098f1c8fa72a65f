import type { ProjectEvent } from '@scrip/contracts';
import projectCreated from './fixtures/project-created.v1.json';
import keyIssued from './fixtures/api-key-issued.v1.json';
import keyRevoked from './fixtures/api-key-revoked.v1.json';
import { evolveProject, type Project } from './project';
import { createProject, issueKey } from './project.decider';

const folded = (...events: unknown[]): Project | undefined =>
  (events as ProjectEvent[]).reduce<Project | undefined>(evolveProject, undefined);

const demo = folded(projectCreated) as Project;
const key = (keyIssued as Extract<ProjectEvent, { type: 'ApiKeyIssued' }>).data;

describe('a project', () => {
  it('is what its first event says', () => {
    expect(demo).toEqual({ ...projectCreated.data, keys: {} });
  });

  it('knows its keys', () => {
    const { key_id, ...rest } = key;
    expect(folded(projectCreated, keyIssued)?.keys).toEqual({ [key_id]: rest });
    expect(folded(projectCreated, keyIssued, keyRevoked)).toEqual(demo);
  });

  it('is created once', () => {
    const { keys: _, ...wanted } = demo;
    expect(createProject(wanted)(undefined)).toEqual({
      events: [{ type: 'ProjectCreated', data: wanted }],
      answer: { created: true },
    });
    expect(createProject(wanted)(demo)).toEqual({ events: [], answer: { created: false } });
  });

  it('is told of a key once, and again when it changed', () => {
    const withKey = folded(projectCreated, keyIssued);
    expect(issueKey(key)(demo).events).toEqual([keyIssued]);
    expect(issueKey(key)(withKey).events).toEqual([]);
    expect(issueKey({ ...key, role: 'VIEWER' })(withKey).events).toHaveLength(1);
  });
});
