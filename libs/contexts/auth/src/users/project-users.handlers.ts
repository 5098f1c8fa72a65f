import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { isRefused, notFound, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { ManagementRefusal } from '../auth.refusals';
import { problemOfName, unknownUser } from './new-members';
import { isMember, type User } from './user';
import { notAssigned } from './user.decider';
import { type Actor, UserHandlers } from './user.handlers';
import { type NamedUser, unknownProjects } from './user.table';
import { newPassword, PasswordHashes } from './password-hashes';
import { incorrectRole, isUserRole } from './role';

/** Whose turn it is to hash: invitations follow each other, and leave room for those who sign in. */
const ofManagers = 'managers';

/** Who is invited, and to what. */
export interface Invitation {
  email: string;
  first_name: string;
  last_name: string;
  /** Role by project id. */
  projects: Readonly<Record<string, string>>;
}

/** A user who was invited, with the password for the first sign-in, which can never be read again. */
export interface Invited {
  user: User;
  password: string;
}

/** Users of projects as managers see and change them. Source: reference 07 §14. */
@Injectable()
export class ProjectUsers {
  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    private readonly users: UserHandlers,
    private readonly hashes: PasswordHashes,
  ) {}

  /** By login, owners included. */
  list({ project }: RequestContext): Promise<User[]> {
    return this.users.ofProject(project.id);
  }

  /** Refuses `not_found` for a user who is unknown or of other projects. */
  async find({ project }: RequestContext, id: string): Promise<User | ManagementRefusal> {
    const user = await this.users.find(id);
    return user && isMember(user, project.id) ? user : notFound('user', id);
  }

  /** Gives a user who is there a role in the project. `resumed`: an earlier execution of the call ended without an answer; a user
   *  who has the role is answered then. Refuses `invalid_payload`, `not_found`, `used_incorrect_role` and
   *  `member_already_exists`. */
  async add(
    context: RequestContext,
    { role, ...named }: NamedUser & { role: string },
    { resumed }: { resumed: boolean },
  ): Promise<User | ManagementRefusal> {
    const problem = problemOfName(named, 'Payload');
    if (problem !== null) return refuse('invalid_payload', problem);
    const id = named.id ?? (await this.users.findByLogin(named.login ?? ''))?.id;
    if (id === undefined) return unknownUser(named);
    const project_id = context.project.id;
    const added = await this.users.change(context, id, { type: 'AddToProject', project_id, role });
    if (!resumed || !isRefused(added) || added.refused !== 'member_already_exists') return added;
    const user = await this.users.find(id);
    return user?.projects[project_id] === role ? user : added;
  }

  /** Refuses `not_found` and `used_incorrect_role`. */
  changeRole(context: RequestContext, id: string, role: string): Promise<User | ManagementRefusal> {
    return this.users.change(context, id, { type: 'ChangeRole', project_id: context.project.id, role });
  }

  /** Refuses `user_not_assigned`, `last_project_of_user`, and `resource_protected` for an owner. */
  async remove(context: RequestContext, id: string): Promise<ManagementRefusal | null> {
    const project_id = context.project.id;
    const changed = await this.users.change(context, id, { type: 'RemoveFromProject', project_id });
    if (!isRefused(changed)) return null;
    return changed.refused === 'not_found' ? notAssigned(id, project_id) : changed;
  }

  /** Adds a user whose login is the e-mail address. No message is sent: the password is for the caller to hand on. Refuses
   *  `used_incorrect_role`, `not_found` for a project, `duplicate_found` and `invalid_payload`. */
  async invite(by: Actor, invitation: Invitation): Promise<Invited | ManagementRefusal> {
    const refusal = await this.refusalOfProjects(invitation.projects);
    if (refusal) return refusal;
    const password = newPassword();
    const password_hash = await this.hashes.hash(password, ofManagers);
    const user = await this.users.add(by, { ...invitation, login: invitation.email, password_hash });
    if (!isRefused(user)) return { user, password };
    const { refused, ...rest } = user;
    return refused === 'limit_exceeded' ? { ...rest, refused: 'invalid_payload' } : { ...rest, refused };
  }

  private async refusalOfProjects(
    projects: Invitation['projects'],
  ): Promise<Refusal<'used_incorrect_role' | 'not_found'> | null> {
    const role = Object.values(projects).find((one) => !isUserRole(one));
    if (role !== undefined) return incorrectRole(role);
    const [unknown] = await unknownProjects(this.database, Object.keys(projects));
    return unknown === undefined ? null : notFound('project', unknown);
  }
}
