import { Injectable } from '@nestjs/common';
import type { Credentials, Principal } from '@scrip/contracts/auth';
import type { CredentialsRefusal } from '../auth.refusals';
import { unauthorized } from '../keys/key-authentication';
import { ProjectHandlers } from '../projects/project.handlers';
import { hasNoRole } from '../users/managed-project';
import { roleIn } from '../users/user';
import { UserHandlers } from '../users/user.handlers';
import { SessionStore } from './session.table';

/** Of a user who names no project and is no owner: a role that may do nothing. */
const noRole = 'NONE';

/** Authenticates sessions. Nothing is cached: a role that changed, a user that was blocked and a session that ended count at
 *  once. Source: reference 07 §2.5. */
@Injectable()
export class SessionAuthentication {
  constructor(
    private readonly sessions: SessionStore,
    private readonly users: UserHandlers,
    private readonly projects: ProjectHandlers,
  ) {}

  /** A project without a role of the user is refused like one that does not exist. */
  async session({
    session_token,
    project_id,
  }: Extract<Credentials, { kind: 'session' }>): Promise<Principal | CredentialsRefusal> {
    const session = await this.sessions.find(session_token);
    const user = session && (await this.users.find(session.user_id));
    if (!session || !user?.is_active) return unauthorized();
    const role = project_id === null ? null : roleIn(user, project_id);
    const project = project_id !== null && role !== null ? await this.projects.find(project_id) : undefined;
    if (project_id !== null && !project) return hasNoRole(project_id);
    return {
      kind: 'session',
      key: { id: session.id, name: user.login },
      role: role ?? (user.is_owner ? 'ADMIN' : noRole),
      scopes: null,
      project: project?.project ?? null,
      trusted_domains: [],
      client_switches: null,
      session: {
        id: session.id,
        user_id: user.id,
        must_change_password: user.must_change_password,
        password_is_fresh: session.password_is_fresh,
      },
    };
  }
}
