import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { isRefused, newId, notFound, type Refusal, refuse } from '@scrip/kernel';
import type { DataSource, EntityManager } from 'typeorm';
import type { AuditActor } from '../audit/audit-entry';
import { userFacts } from '../audit/audit-facts';
import { storeAudit } from '../audit/audit.table';
import { decideUser, type UserCommand, type UserRefusalKey } from './user.decider';
import { endSessionsOf } from '../sessions/session.table';
import { evolveUser, type User, type UserEvent } from './user';
import { allUsers, storeUser, takenName, userById, userByLogin, usersOfProject } from './user.table';

/** Users of an installation. Source: reference 07 §2.4. */
export const usersMax = 1_000;

/** Who asks for a change; a command of an operator has neither key nor user. */
export type Actor = AuditActor;

/** What a new user is made of. Absent: nothing in a project, no password, no owner. */
export interface NewUser {
  login: string;
  email: string | null;
  first_name: string;
  last_name: string;
  projects?: Readonly<Record<string, string>>;
  is_owner?: boolean;
  password_hash?: string | null;
}

export type UserRefusal = Refusal<UserRefusalKey>;
export type AddUserRefusal = Refusal<UserRefusalKey | 'duplicate_found' | 'limit_exceeded'>;

/** Whether sessions that were begun before count no longer. Roles are read at each call, so that another one counts at once; if it
 *  ended sessions, a manager of one project would sign users out of all others. Source: ADR 85. */
const endsSessions = (event: UserEvent): boolean => {
  switch (event.type) {
    case 'PasswordSet':
    case 'UserBlocked':
      return true;
    case 'RoleAssigned':
    case 'RemovedFromProject':
    case 'UserAdded':
    case 'PasswordHashedAgain':
    case 'UserAdmitted':
      return false;
    default:
      return event satisfies never;
  }
};

type Change = Exclude<UserCommand, { type: 'AddUser' }>;

/** Adds and changes users. A change is seen by every call that starts after it. */
@Injectable()
export class UserHandlers {
  constructor(@InjectDataSource('auth') private readonly database: DataSource) {}

  find(id: string): Promise<User | null> {
    return userById(this.database, id);
  }

  /** In any case. */
  findByLogin(login: string): Promise<User | null> {
    return userByLogin(this.database, login);
  }

  /** Users with a role in a project, owners included, by login: at most `usersMax`. */
  ofProject(projectId: string): Promise<User[]> {
    return usersOfProject(this.database, projectId);
  }

  /** Every user, by login: at most `usersMax`. */
  all(): Promise<User[]> {
    return allUsers(this.database);
  }

  /** Refuses `duplicate_found` for a login or an e-mail address that another user has, `used_incorrect_role`, and
   *  `limit_exceeded` beyond `usersMax`. Whether its projects exist is for the caller to know. */
  add(actor: Actor, wanted: NewUser): Promise<User | AddUserRefusal> {
    const user: Extract<UserCommand, { type: 'AddUser' }>['user'] = {
      id: newId('user_'),
      login: wanted.login,
      email: wanted.email,
      first_name: wanted.first_name,
      last_name: wanted.last_name,
      is_owner: wanted.is_owner ?? false,
      is_active: true,
      projects: wanted.projects ?? {},
      password_hash: wanted.password_hash ?? null,
      must_change_password: true,
    };
    return this.database.transaction(async (manager) => {
      // Users are few and seldom added: one at a time, so that names and their number are certain.
      await manager.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
      const taken = await takenName(manager, user);
      if (taken)
        return refuse('duplicate_found', `Duplicated user exists with ${taken} ${user[taken] ?? ''}`, {
          ...{ resourceId: user[taken] ?? '', resourceType: 'user' },
        });
      const [{ count = 0 } = {}] = await manager.query<{ count: number }[]>(
        'SELECT count(*)::int AS count FROM users',
      );
      if (count >= usersMax) return refuse('limit_exceeded', `There are ${usersMax} users already`);
      return this.commit(manager, actor, { type: 'AddUser', user }, undefined);
    });
  }

  /** Changes one user and returns it as it is then. Changes of one user follow each other. */
  change(actor: Actor, id: string, command: Change): Promise<User | UserRefusal> {
    return this.database.transaction(async (manager) => {
      const state = await userById(manager, id, { lock: true });
      return state ? this.commit(manager, actor, command, state) : notFound('user', id);
    });
  }

  private async commit(
    manager: EntityManager,
    actor: Actor,
    command: UserCommand,
    state: User | undefined,
  ): Promise<User | UserRefusal> {
    const events = decideUser(command, state);
    if (isRefused(events)) return events;
    const user = events.reduce<User | undefined>(evolveUser, state);
    if (!user) throw new Error('unreachable: a user that was never added');
    if (events.length > 0) await storeUser(manager, user);
    await storeAudit(manager, actor, userFacts(user.id, events));
    if (events.some(endsSessions)) await endSessionsOf(manager, user.id);
    return user;
  }
}
