import { givenFor } from '@scrip/testing';
import { evolveUser, roleIn, type User, type UserEvent } from './user';
import { decideUser, type UserCommand } from './user.decider';

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
const assigned = (project_id: string, role: 'ADMIN' | 'VIEWER', before: 'USER' | null): UserEvent => ({
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

  it('gets a role in another project, or another role', () => {
    given(added)
      .when({ type: 'AssignRole', project_id: 'proj_2', role: 'ADMIN' })
      .then(assigned('proj_2', 'ADMIN', null));
    given(added)
      .when({ type: 'AssignRole', project_id: 'proj_1', role: 'VIEWER' })
      .then(assigned('proj_1', 'VIEWER', 'USER'));
    given(added).when({ type: 'AssignRole', project_id: 'proj_1', role: 'USER' }).then();
    given(added)
      .when({ type: 'AssignRole', project_id: 'proj_1', role: 'OWNER' })
      .thenRefused('used_incorrect_role');
  });

  it('leaves a project, but not its last one', () => {
    const leave = (project_id: string) => ({ type: 'RemoveFromProject' as const, project_id });
    given(added, assigned('proj_2', 'ADMIN', null))
      .when(leave('proj_1'))
      .then({ type: 'RemovedFromProject', data: { project_id: 'proj_1', before: 'USER' } });
    given(added).when(leave('proj_1')).thenRefused('last_project_of_user');
    given(added).when(leave('proj_2')).thenRefused('user_not_assigned');
    given(ownerAdded)
      .when(leave('proj_1'))
      .then({ type: 'RemovedFromProject', data: { project_id: 'proj_1', before: 'USER' } });
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
    { type: 'AssignRole', project_id: 'proj_1', role: 'USER' },
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
