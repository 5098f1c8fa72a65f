import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { addressKey, EdgeFailure, failures } from '@scrip/edge';
import { isRefused, newRequestId, notFound, type ProjectContext, type Refusal, refuse } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { AuditActor, AuditFact } from '../audit/audit-entry';
import { storeRefusal } from '../audit/audit-refusals.table';
import { storeAudit } from '../audit/audit.table';
import type { Project } from '../projects/project';
import { PasswordHashes, type PasswordVerdict } from '../users/password-hashes';
import { problemOfPassword } from '../users/password-rules';
import { type OfferedFactor, SecondFactors } from '../second-factor/second-factors';
import { roleIn, type User } from '../users/user';
import { UserHandlers } from '../users/user.handlers';
import { foldedLogin, lockUser } from '../users/user.table';
import { type BegunSession, type Session, type SessionOrigin, SessionStore } from './session.table';
import { type Attempt, SignInAttempts } from './sign-in-attempts';

/** A project with the role that a user has there. */
export interface ProjectOfUser {
  project: Pick<ProjectContext, 'id' | 'name' | 'timezone' | 'currency'>;
  role: string;
}

/** A user in a session. */
export interface SignedIn {
  user: User;
  session: Session;
  projects: ProjectOfUser[];
}

/** The call that a session belongs to. */
export interface OfSession {
  id: string;
  user_id: string;
}

type Unauthorized = Refusal<'unauthorized'>;

const wrong = (): Unauthorized => refuse('unauthorized', 'The login or the password is wrong');
const over = (): Unauthorized => refuse('unauthorized', 'The session is over');

const codeLacks = (): Refusal<'second_factor_required'> =>
  refuse('second_factor_required', 'Send the code of the second factor, or a backup code, as code');

const sessionFact = (action: string, resource_id: string): AuditFact => ({
  ...{ action, project_id: null, resource_type: 'session', resource_id },
});

/** Projects that a user is told of. */
const projectsMax = 1_000;

/** Signs users in and out, and keeps their passwords. Source: reference 07 §2.5. */
@Injectable()
export class SessionHandlers {
  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    private readonly sessions: SessionStore,
    private readonly attempts: SignInAttempts,
    private readonly users: UserHandlers,
    private readonly hashes: PasswordHashes,
    private readonly factors: SecondFactors,
  ) {}

  /** Refuses `second_factor_required` where the password is right and the code of the user's second factor is missing, and
   *  `unauthorized` for a wrong password or code. A login that is unknown or blocked is refused like a wrong password, after
   *  the same time. Throws `EdgeFailure` (429) after too many attempts. */
  async signIn(
    { login, password, code }: { login: string; password: string; code?: string | undefined },
    origin: SessionOrigin,
    by: AuditActor,
  ): Promise<(SignedIn & BegunSession) | Refusal<'unauthorized' | 'second_factor_required'>> {
    const user = await this.users.findByLogin(login);
    const attempt: Attempt = {
      ...{ at: 'sign-in', login: await foldedLogin(this.database, login) },
      ...{ address: origin.address, user_id: user?.id ?? null },
    };
    if (!(await this.isRight(attempt, user, password, origin.address)) || !user?.password_hash) {
      await this.note(by, 'session.refused', user?.id ?? null);
      return wrong();
    }
    const factor = await this.factorPassed(attempt, user.id, code);
    if (isRefused(factor)) {
      if (factor.refused === 'unauthorized') await this.note(by, 'session.refused', user.id);
      return factor;
    }
    const begun = await this.begun(by, { userId: user.id, passwordHash: user.password_hash, factor }, origin);
    if (!begun) return wrong();
    if (isRefused(begun)) {
      await this.attempts.takeBack(attempt);
      return begun;
    }
    await this.attempts.succeed(attempt);
    return { ...(await this.withProjects(user, begun.session)), ...begun };
  }

  /** Who is signed in. Refuses `unauthorized` where the session is over. */
  async current({ id, user_id }: OfSession): Promise<SignedIn | Unauthorized> {
    const [user, session] = await Promise.all([this.users.find(user_id), this.sessions.byId(id)]);
    return user && session ? this.withProjects(user, session) : over();
  }

  /** The password counts as entered for 10 minutes. Refuses `unauthorized` for a wrong one. Throws `EdgeFailure` (429). */
  async passwordAgain(
    of: OfSession,
    password: string,
    address: string,
    by: AuditActor,
  ): Promise<SignedIn | Unauthorized> {
    const user = await this.users.find(of.user_id);
    if (!user) return over();
    if (!(await this.isRightAgain(of, user, password, address))) {
      await this.note(by, 'password.refused', user.id);
      return wrong();
    }
    const session = await this.sessions.refresh(of.id);
    return session ? this.withProjects(user, session) : over();
  }

  /** Replaces the password, ends every session of the user and begins another one. Refuses `unauthorized` for a wrong
   *  present password, `invalid_payload` for a new one that is not accepted. Throws `EdgeFailure` (429). */
  async changePassword(
    of: OfSession,
    { current_password, password }: { current_password: string; password: string },
    origin: SessionOrigin,
    by: AuditActor,
  ): Promise<(SignedIn & BegunSession) | Refusal<'unauthorized' | 'invalid_payload'>> {
    const { user_id } = of;
    const user = await this.users.find(user_id);
    if (!user) return over();
    // Read before the session: one that still lives after this read has passed the second factor that was found here.
    const factor = (await this.factors.backupCodesLeft(user_id)) === null ? 'none' : 'passed';
    if (!(await this.sessions.byId(of.id))) return over();
    const problem =
      current_password === password
        ? 'must be another one than before'
        : problemOfPassword(password, user.login);
    if (problem !== null) return refuse('invalid_payload', `Property .password ${problem}`);
    if (!(await this.isRightAgain(of, user, current_password, origin.address))) {
      await this.note(by, 'password.refused', user_id);
      return wrong();
    }
    const password_hash = await this.hashes.hash(password, addressKey(origin.address));
    const changed = await this.users.change(by, user_id, {
      ...{ type: 'ChangePassword', from: user.password_hash, password_hash, must_change_password: false },
    });
    if (isRefused(changed)) return over();
    const begun = await this.begun(by, { userId: user_id, passwordHash: password_hash, factor }, origin);
    if (isRefused(begun)) return over();
    return begun ? { ...(await this.withProjects(changed, begun.session)), ...begun } : over();
  }

  /** Backup codes that the user has left; null: no second factor. */
  secondFactor({ user_id }: OfSession): Promise<number | null> {
    return this.factors.backupCodesLeft(user_id);
  }

  /** Refuses as `SecondFactors.offer` does. */
  async beginSecondFactor({
    user_id,
  }: OfSession): Promise<OfferedFactor | Refusal<'unauthorized' | 'second_factor_exists'>> {
    const user = await this.users.find(user_id);
    return user ? this.factors.offer(user) : over();
  }

  /** Returns the backup codes. Refuses as `SecondFactors.confirm` does. Throws `EdgeFailure` (429). */
  async confirmSecondFactor(
    of: OfSession,
    code: string,
    by: AuditActor,
  ): ReturnType<SecondFactors['confirm']> {
    const attempt: Attempt = { at: 'session', session_id: of.id };
    await this.begin(attempt);
    const confirmed = await this.factors.confirm(of.user_id, of.id, code, by);
    if (!isRefused(confirmed)) await this.attempts.succeed(attempt);
    return confirmed;
  }

  /** Refuses `not_found` without a second factor. */
  removeSecondFactor({ user_id }: OfSession, by: AuditActor): Promise<Refusal<'not_found'> | null> {
    return this.factors.remove(user_id, by);
  }

  /** Refuses `not_found` without a second factor. */
  renewBackupCodes({ user_id }: OfSession, by: AuditActor): Promise<string[] | Refusal<'not_found'>> {
    return this.factors.newCodes(user_id, by);
  }

  ofUser({ user_id }: OfSession): Promise<Session[]> {
    return this.sessions.ofUser(user_id);
  }

  /** Refuses `not_found` for a session that is over or another user's. */
  end({ user_id }: OfSession, id: string, by: AuditActor): Promise<Refusal<'not_found'> | null> {
    return this.database.transaction(async (manager) => {
      if (!(await this.sessions.end(user_id, id, manager))) return notFound('session', id);
      await storeAudit(manager, by, [sessionFact('session.ended', id)]);
      return null;
    });
  }

  private note(by: AuditActor, action: string, userId: string | null): Promise<void> {
    return storeRefusal(this.database, by, { action, userId });
  }

  /** Begins a session. Refuses `second_factor_required` where one was confirmed since `factor` was read. Returns null where the user is
   *  blocked or has another password by now. */
  private begun(
    by: AuditActor,
    { userId, passwordHash, factor }: { userId: string; passwordHash: string; factor: 'none' | 'passed' },
    origin: SessionOrigin,
  ): Promise<BegunSession | Refusal<'second_factor_required'> | null> {
    return this.database.transaction(async (manager) => {
      await lockUser(manager, userId);
      if (factor === 'none' && (await this.factors.isOn(manager, userId))) return codeLacks();
      const begun = await this.sessions.begin(userId, passwordHash, origin, manager);
      const actor = { ...by, user: { id: userId } };
      if (begun) await storeAudit(manager, actor, [sessionFact('session.begun', begun.session.id)]);
      return begun;
    });
  }

  /** The password of a session's user, entered once more. */
  private async isRightAgain(of: OfSession, user: User, password: string, address: string): Promise<boolean> {
    const attempt: Attempt = { at: 'session', session_id: of.id };
    const isRight = await this.isRight(attempt, user, password, address);
    if (isRight) await this.attempts.succeed(attempt);
    return isRight;
  }

  private async isRight(
    attempt: Attempt,
    user: User | null,
    password: string,
    address: string,
  ): Promise<boolean> {
    await this.begin(attempt);
    const stored = user?.is_active ? user.password_hash : null;
    const { isRight, isOutdated } = await this.verify(attempt, password, stored, address);
    if (isRight && isOutdated && user && stored !== null)
      await this.hashAgain(user, stored, password, address);
    return isRight;
  }

  private async begin(attempt: Attempt): Promise<void> {
    const waitS = await this.attempts.begin(attempt);
    if (waitS > 0) throw new EdgeFailure(failures.tooManyRequests(waitS));
  }

  /** How a user with the right password gets in: `none` where there is no second factor. */
  private async factorPassed(
    attempt: Attempt,
    userId: string,
    code: string | undefined,
  ): Promise<'none' | 'passed' | Refusal<'unauthorized' | 'second_factor_required'>> {
    if (code) {
      const waitS = await this.attempts.beginCode(attempt, userId);
      if (waitS > 0) {
        await this.attempts.takeBack(attempt);
        throw new EdgeFailure(failures.tooManyRequests(waitS));
      }
    }
    const passed = await this.factors.pass(userId, code);
    if (passed === 'passed' || passed === 'none') {
      if (code) await this.attempts.succeedCode(userId);
      return passed;
    }
    if (passed === 'wrong') return refuse('unauthorized', 'The code of the second factor is wrong');
    await this.attempts.takeBack(attempt);
    return codeLacks();
  }

  private async verify(
    attempt: Attempt,
    password: string,
    stored: string | null,
    address: string,
  ): Promise<PasswordVerdict> {
    try {
      return await this.hashes.verify(password, stored, addressKey(address));
    } catch (error) {
      await this.attempts.takeBack(attempt);
      throw error;
    }
  }

  private async hashAgain(user: User, from: string, password: string, address: string): Promise<void> {
    const password_hash = await this.hashes.hash(password, addressKey(address));
    const by = { requestId: newRequestId(), apiKey: null, user: { id: user.id } };
    await this.users.change(by, user.id, { type: 'HashAgain', from, password_hash });
    user.password_hash = password_hash;
  }

  private async withProjects(user: User, session: Session): Promise<SignedIn> {
    const ids = user.is_owner ? null : Object.keys(user.projects);
    const rows = await this.database.query<{ state: Project }[]>(
      `SELECT state FROM projects WHERE project_id = id AND NOT deleted AND ($1::text[] IS NULL OR id = ANY($1))
       ORDER BY id LIMIT ${projectsMax}`,
      [ids],
    );
    const projects = rows.flatMap(({ state: { project } }) => {
      const role = roleIn(user, project.id);
      return role === null ? [] : [{ project, role }];
    });
    return { user, session, projects };
  }
}
