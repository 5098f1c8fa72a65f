import { permissionsOf } from '@scrip/edge';
import type { SignedIn } from './session.handlers';
import type { Session } from './session.table';

/** A user in a session, as the dashboard is told. */
export interface SessionResponse {
  object: 'session';
  id: string;
  user: {
    id: string;
    login: string;
    first_name: string;
    last_name: string;
    email: string | null;
    is_owner: boolean;
    /** Until then a session reaches nothing but itself. */
    must_change_password: boolean;
  };
  /** By id, 1,000 at most. */
  projects: {
    id: string;
    name: string;
    timezone: string;
    currency: string;
    role: string;
    permissions: string[];
  }[];
  /** By then it ends, and earlier after 8 hours without a call. */
  expires_at: string;
  /** Until then the password needs not be entered again. */
  password_until: string;
}

/** A session of a user, as lists show it. */
export interface ListedSession {
  object: 'session';
  id: string;
  /** Where it began. */
  address: string;
  /** The `User-Agent` that began it. */
  agent: string;
  created_at: string;
  /** To the minute. */
  seen_at: string;
  expires_at: string;
  /** It is the one of this call. */
  is_current: boolean;
}

export const renderSession = ({ user, session, projects }: SignedIn): SessionResponse => ({
  object: 'session',
  id: session.id,
  user: {
    id: user.id,
    login: user.login,
    first_name: user.first_name,
    last_name: user.last_name,
    email: user.email,
    is_owner: user.is_owner,
    must_change_password: user.must_change_password,
  },
  projects: projects.map(({ project: { id, name, timezone, currency }, role }) => ({
    ...{ id, name, timezone, currency, role },
    permissions: [...permissionsOf(role)],
  })),
  expires_at: session.expires_at.toISOString(),
  password_until: session.password_until.toISOString(),
});

export const renderListedSession = (
  { id, address, agent, created_at, seen_at, expires_at }: Session,
  currentId: string,
): ListedSession => ({
  object: 'session',
  ...{ id, address, agent },
  created_at: created_at.toISOString(),
  seen_at: seen_at.toISOString(),
  expires_at: expires_at.toISOString(),
  is_current: id === currentId,
});
