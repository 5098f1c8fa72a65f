import type { BrowserCall } from '@scrip/edge';
import type { CallContext } from '@scrip/kernel';
import type { AuditActor } from './audit-entry';

/** Who calls the dashboard's own API, as entries name it; before a session there is no user. */
export const callerOf = ({ address, session }: BrowserCall, { requestId }: CallContext): AuditActor => ({
  requestId,
  apiKey: null,
  user: session && { id: session.user_id },
  caller: {
    user_id: session?.user_id ?? null,
    key_id: null,
    session_id: session?.id ?? null,
    address,
  },
});
