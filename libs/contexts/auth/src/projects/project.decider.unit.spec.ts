import type { ProjectEvent } from '@scrip/contracts/auth';
import { givenFor } from '@scrip/testing';
import projectCreated from './fixtures/project-created.v1.json';
import accessChanged from './fixtures/client-access-changed.v1.json';
import keyIssued from './fixtures/api-key-issued.v1.json';
import keyRevoked from './fixtures/api-key-revoked.v1.json';
import projectDeleted from './fixtures/project-deleted.v1.json';
import projectUpdated from './fixtures/project-updated.v1.json';
import { evolveProject, type Project, settingsOf } from './project';
import { type ProjectCommand, decideProject } from './project.decider';

const [created, changed, issued, revoked] = [
  projectCreated,
  accessChanged,
  keyIssued,
  keyRevoked,
] as unknown as [ProjectEvent, ProjectEvent, Extract<ProjectEvent, { type: 'ApiKeyIssued' }>, ProjectEvent];

const updated = projectUpdated as Extract<ProjectEvent, { type: 'ProjectUpdated' }>;
const deleted = projectDeleted as ProjectEvent;

const given = givenFor<ProjectCommand, Project | undefined, ProjectEvent>({
  decide: decideProject,
  evolve: evolveProject,
  initialState: undefined,
});

const folded = (...events: ProjectEvent[]): Project | undefined =>
  events.reduce<Project | undefined>(evolveProject, undefined);

const demo = folded(created) as Project;
const key = issued.data;
// As managers make them; a start of the server makes the other ones.
const managed = { ...created, data: { ...projectCreated.data, is_sandbox: false } } as ProjectEvent;

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

  it('has texts for errors until they are taken away, and those of before where none are sent', () => {
    const error_messages = { order_rules_violated: 'Sorry' };
    const access = { client_switches: {} };
    const data = { ...settingsOf(demo), error_messages };
    const texts = { type: 'ProjectUpdated' as const, data };
    given(created).when({ type: 'UpdateProject', settings: { error_messages }, access }).then(texts);
    given(created)
      .when({ type: 'UpdateProject', settings: { error_messages: {} }, access })
      .then();
    given(created, texts)
      .when({ type: 'UpdateProject', settings: { name: 'Shop' }, access })
      .then({ type: 'ProjectUpdated', data: { ...data, name: 'Shop' } });
    given(created, texts)
      .when({ type: 'UpdateProject', settings: { error_messages: {} }, access })
      .then({ type: 'ProjectUpdated', data: settingsOf(demo) });
    expect(folded(created, texts)?.project).toMatchObject({ errorMessages: error_messages });
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

  it('is created with its keys', () => {
    const { keys: _, ...wanted } = demo;
    given()
      .when({ type: 'CreateProject', wanted, keys: [key] })
      .then({ type: 'ProjectCreated', data: wanted }, issued);
  });

  it('tells all of its settings where one of them changes, and nothing where none does', () => {
    const { settings, access } = { settings: { name: 'Shop' }, access: { client_switches: {} } };
    const wanted = { ...settingsOf(demo), name: 'Shop' };
    given(created)
      .when({ type: 'UpdateProject', settings, access })
      .then({ type: 'ProjectUpdated', data: wanted });
    given(created)
      .when({ type: 'UpdateProject', settings: settingsOf(demo), access })
      .then();
    expect(settingsOf(folded(created, updated) as Project)).toEqual(updated.data);
  });

  it('keeps the switches and domains that a change does not name', () => {
    const access = { client_switches: { client_publish_enabled: true } };
    given(created)
      .when({ type: 'UpdateProject', settings: {}, access })
      .then({
        type: 'ClientAccessChanged',
        data: {
          client_trusted_domains: demo.client_trusted_domains,
          client_switches: { ...demo.client_switches, client_publish_enabled: true },
        },
      });
  });

  it('has a default again where a setting is taken away', () => {
    const settings = { code_charset: null, dial_code: null };
    given(created, updated)
      .when({ type: 'UpdateProject', settings, access: { client_switches: {} } })
      .then({ type: 'ProjectUpdated', data: { ...updated.data, ...settings } });
    const again = folded(created, updated, {
      ...updated,
      data: { ...updated.data, ...settings },
    });
    expect(again?.project).not.toHaveProperty('codeCharset');
    expect(again).not.toHaveProperty('dial_code');
  });

  it('is deleted for good, unless a start of the server made it', () => {
    given(managed).when({ type: 'DeleteProject' }).then(deleted);
    given(created).when({ type: 'DeleteProject' }).thenRefused('resource_protected', {
      details: 'Cannot delete project with id proj_1: it is the sandbox',
    });
    const { keys: _, ...wanted } = demo;
    for (const command of [
      { type: 'DeleteProject' },
      { type: 'CreateProject', wanted },
      { type: 'IssueKey', key },
    ] as ProjectCommand[])
      given(managed, deleted).when(command).thenRefused('not_found');
  });

  it('has to be there for its keys', () => {
    given().when({ type: 'IssueKey', key }).thenRefused('not_found');
  });
});
