import { givenFor } from '@scrip/testing';
import { evolveUser, roleIn, type User, type UserEvent } from './user';
import { decideUser, projectsOfUserMax, type UserCommand } from './user.decider';

const given = givenFor<UserCommand, User | undefined, UserEvent>({
  decide: decideUser,
  evolve: evolveUser,
  initialState: undefined,
});

const mary: User = {
  id: 'user_1',
  login: 'mary',
  email: 'mary@shop.example',
  first_name: 'Mary',
  last_name: 'Jones',
  is_owner: false,
  is_active: true,
  projects: { proj_1: 'USER' },
  password_hash: null,
  must_change_password: true,
};
const added: UserEvent = { type: 'UserAdded', data: mary };
const ownerAdded: UserEvent = { type: 'UserAdded', data: { ...mary, is_owner: true } };
const assigned = (
  project_id: string,
  role: 'ADMIN' | 'USER' | 'VIEWER',
  before: 'USER' | null,
): UserEvent => ({
  type: 'RoleAssigned',
  data: { project_id, role, before },
});

describe('a user', () => {
  it('is added once', () => {
    given().when({ type: 'AddUser', user: mary }).then(added);
    given(added).when({ type: 'AddUser', user: mary }).then();
  });

  it.each(['OWNER', 'admin', 'toString', ''])('is not added with the role %j', (role) => {
    given()
      .when({ type: 'AddUser', user: { ...mary, projects: { proj_1: role } } })
      .thenRefused('used_incorrect_role');
  });

  it('gets a role in another project', () => {
    const add = (project_id: string, role: string) => ({ type: 'AddToProject' as const, project_id, role });
    given(added)
      .when(add('proj_2', 'ADMIN'))
      .then(assigned('proj_2', 'ADMIN', null));
    given(added).when(add('proj_2', 'OWNER')).thenRefused('used_incorrect_role', {
      details:
        "The role 'OWNER' is incorrect. It should be one of ADMIN, USER, VIEWER, MERCHANT, USER_RESTRICTED",
    });
    given(added)
      .when(add('proj_1', 'USER'))
      .thenRefused('member_already_exists', { details: 'User user_1 has a role in project proj_1 already' });
    given(ownerAdded).when(add('proj_2', 'ADMIN')).thenRefused('member_already_exists');
  });

  it('gets another role in a project, which an owner does not', () => {
    const change = (project_id: string, role: string) => ({ type: 'ChangeRole' as const, project_id, role });
    given(added)
      .when(change('proj_1', 'VIEWER'))
      .then(assigned('proj_1', 'VIEWER', 'USER'));
    given(added).when(change('proj_1', 'USER')).then();
    given(added).when(change('proj_1', 'toString')).thenRefused('used_incorrect_role');
    given(added)
      .when(change('proj_2', 'USER'))
      .thenRefused('not_found', { details: 'Cannot find user with id user_1' });
    given(ownerAdded).when(change('proj_2', 'ADMIN')).then();
    given(ownerAdded).when(change('proj_2', 'USER')).thenRefused('used_incorrect_role', {
      details: "The role 'USER' is incorrect: an owner is ADMIN in every project",
    });
  });

  it.each([
    [projectsOfUserMax - 1, undefined],
    [projectsOfUserMax, 'A user can have roles in at most 100 projects'],
  ])('with %s projects gets another one, or not', (count, details) => {
    const projects = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`proj_${n}`, 'USER' as const]),
    );
    const scenario = given({ type: 'UserAdded', data: { ...mary, projects } }).when({
      ...{ type: 'AddToProject', project_id: 'proj_more', role: 'USER' },
    });
    if (details === undefined) scenario.then(assigned('proj_more', 'USER', null));
    else scenario.thenRefused('invalid_payload', { details });
  });

  it('leaves a project, but not its last one', () => {
    const leave = (project_id: string) => ({ type: 'RemoveFromProject' as const, project_id });
    given(added, assigned('proj_2', 'ADMIN', null))
      .when(leave('proj_1'))
      .then({ type: 'RemovedFromProject', data: { project_id: 'proj_1', before: 'USER' } });
    given(added)
      .when(leave('proj_1'))
      .thenRefused('last_project_of_user', { details: 'Project proj_1 is the last one of user user_1' });
    given(added)
      .when(leave('proj_2'))
      .thenRefused('user_not_assigned', { details: 'User user_1 is not assigned to project proj_2' });
    given(ownerAdded).when(leave('proj_1')).thenRefused('resource_protected', {
      details: 'Cannot remove user with id user_1 from a project: an owner is ADMIN in every project',
    });
  });

  it('has the password that was set last', () => {
    const set = { password_hash: '$scrypt$1', must_change_password: false };
    given(added)
      .when({ type: 'SetPassword', ...set })
      .thenState({ ...mary, ...set });
  });

  it('is blocked and admitted again', () => {
    const blocked: UserEvent = { type: 'UserBlocked', data: {} };
    given(added).when({ type: 'SetActive', is_active: false }).then(blocked);
    given(added, blocked).when({ type: 'SetActive', is_active: false }).then();
    given(added, blocked).when({ type: 'SetActive', is_active: true }).thenState(mary);
  });

  it.each<UserCommand>([
    { type: 'ChangeRole', project_id: 'proj_1', role: 'USER' },
    { type: 'SetActive', is_active: false },
  ])('has to be there: $type', (command) => {
    given().when(command).thenRefused('not_found');
  });

  it.each([
    ['its own role', mary, 'proj_1', 'USER'],
    ['none elsewhere', mary, 'proj_2', null],
    ['none under a name that every object has', mary, 'constructor', null],
    ['ADMIN as an owner', { ...mary, is_owner: true }, 'proj_2', 'ADMIN'],
    ['none while blocked', { ...mary, is_owner: true, is_active: false }, 'proj_1', null],
  ])('has %s', (_name, user, project, role) => {
    expect(roleIn(user, project)).toBe(role);
  });
});
