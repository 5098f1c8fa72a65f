import type { RowChange } from '@scrip/event-store';
import type { AuditFact } from '../audit/audit-entry';
import { userFacts } from '../audit/audit-facts';
import { isRefused, notFound, type Refusal, refuse } from '@scrip/kernel';
import { decideUser } from './user.decider';
import type { User, UserEvent } from './user';
import { lockUsers, type NamedUser, type Queries } from './user.table';

/** Users that the creation of a project can name. */
export const newMembersMax = 100;

/** Who gets which role in a new project. */
export interface NewMember extends NamedUser {
  role: string;
}

type Refused = Refusal<'invalid_payload' | 'not_found' | 'used_incorrect_role'>;

const isNamed = ({ id, login }: NamedUser, user: User): boolean =>
  id == null ? login?.toLowerCase() === user.login.toLowerCase() : id === user.id;

/** Why a member is not named by exactly one of id and login; null where it is. Source: reference 07 §14. */
export const problemOfName = ({ id, login }: NamedUser, place: string): string | null =>
  (id == null) === (login == null) ? `${place} must have exactly one of the properties id and login` : null;

/** No user has this login. */
export const unknownLogin = (login: string): Refusal<'not_found'> =>
  refuse('not_found', `Cannot find user with login ${login}`, { resourceId: login, resourceType: 'user' });

/** No user is named so. */
export const unknownUser = ({ id, login }: NamedUser): Refusal<'not_found'> =>
  id == null ? unknownLogin(login ?? '') : notFound('user', id);

/** Roles of users in a new project, and what the audit trail says of them. */
export interface RolesOfMembers {
  rows: RowChange[];
  facts: AuditFact[];
}

/** Returns the rows that give users their roles in a new project, in the transaction that creates it. Owners are its users
 *  without a row. Refuses `not_found` for an unknown user, `used_incorrect_role`, and `invalid_payload` for one who is named
 *  twice. */
export const rowsOfNewMembers = async (
  read: Queries,
  projectId: string,
  members: readonly NewMember[],
): Promise<RolesOfMembers | Refused> => {
  if (members.length === 0) return { rows: [], facts: [] };
  const users = await lockUsers(read, members);
  const roles = new Map<string, RowChange | null>();
  const facts: AuditFact[] = [];
  for (const [place, member] of members.entries()) {
    const user = users.find((one) => isNamed(member, one));
    if (!user) return unknownUser(member);
    if (roles.has(user.id))
      return refuse('invalid_payload', `Property .users[${place}] names user ${user.id} again`);
    const decided = decideUser(
      { type: user.is_owner ? 'ChangeRole' : 'AddToProject', project_id: projectId, role: member.role },
      user,
    );
    if (isRefused(decided)) return decided as Refused;
    const values = { user_id: user.id, project_id: projectId, role: member.role };
    facts.push(...userFacts(user.id, decided as UserEvent[]));
    roles.set(user.id, user.is_owner ? null : { insert: 'user_roles', values });
  }
  return { rows: [...roles.values()].filter((row) => row !== null), facts };
};
