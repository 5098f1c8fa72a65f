import type { ProjectEvent } from '@scrip/contracts/auth';
import { givenFor } from '@scrip/testing';
import projectCreated from './fixtures/project-created.v1.json';
import accessChanged from './fixtures/client-access-changed.v1.json';
import keyIssued from './fixtures/api-key-issued.v1.json';
import keyRevoked from './fixtures/api-key-revoked.v1.json';
import { evolveProject, type Project } from './project';
import { type ProjectCommand, decideProject } from './project.decider';

const [created, changed, issued, revoked] = [
  projectCreated,
  accessChanged,
  keyIssued,
  keyRevoked,
] as unknown as [ProjectEvent, ProjectEvent, Extract<ProjectEvent, { type: 'ApiKeyIssued' }>, ProjectEvent];

const given = givenFor<ProjectCommand, Project | undefined, ProjectEvent>({
  decide: decideProject,
  evolve: evolveProject,
  initialState: undefined,
});

const folded = (...events: ProjectEvent[]): Project | undefined =>
  events.reduce<Project | undefined>(evolveProject, undefined);

const demo = folded(created) as Project;
const key = issued.data;

describe('a project', () => {
  it('is what its first event says', () => {
    expect(demo).toEqual({ ...projectCreated.data, keys: {} });
  });

  it('knows its keys', () => {
    const { key_id, ...rest } = key;
    expect(folded(created, issued)?.keys).toEqual({ [key_id]: rest });
    expect(folded(created, issued, revoked)).toEqual(demo);
  });

  it('is created once', () => {
    const { keys: _, ...wanted } = demo;
    given().when({ type: 'CreateProject', wanted }).then({ type: 'ProjectCreated', data: wanted });
    given(created).when({ type: 'CreateProject', wanted }).then();
  });

  it('is told from where browsers may call where that is new', () => {
    const command = { type: 'ChangeClientAccess' as const, wanted: accessChanged.data };
    given(created).when(command).then(changed);
    given(created, changed).when(command).then();
    given(created)
      .when(command)
      .thenState({ ...demo, ...accessChanged.data });
  });

  it('is told of a key once, and again when it changed', () => {
    given(created).when({ type: 'IssueKey', key }).then(issued);
    given(created, issued).when({ type: 'IssueKey', key }).then();
    const changedKey = { ...key, role: 'VIEWER' };
    given(created, issued)
      .when({ type: 'IssueKey', key: changedKey })
      .then({ type: 'ApiKeyIssued', data: changedKey });
  });

  it('is told that a key counts no longer where it knows the key', () => {
    const command = { type: 'RevokeKey' as const, key_id: key.key_id };
    given(created, issued).when(command).then(revoked);
    given(created).when(command).then();
  });

  it('has to be there for its keys', () => {
    given().when({ type: 'IssueKey', key }).thenRefused('not_found');
  });
});
