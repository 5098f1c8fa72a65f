import type { SharedScrip } from '@scrip/testing';
import { randomUUID } from 'node:crypto';

const page = {
  'X-Scrip-Dashboard': '1',
  'Sec-Fetch-Site': 'same-origin',
  'Content-Type': 'application/json',
};
const password = 'hedge-trimmer-27-violet';

/** A member of a project's team who is signed in. */
export interface SignedInMember {
  readonly login: string;
  /** Calls the API as the dashboard does. Throws on a status above 299. */
  ask<Answer>(method: string, path: string, body?: object): Promise<Answer>;
}

/** Invites a member with that role, signs in as it and changes the password of the invitation. */
export const signedInMember = async (scrip: SharedScrip, role: string): Promise<SignedInMember> => {
  const { origin, credentials } = scrip;
  const login = `${randomUUID()}@example.com`;
  const ask = async (cookie: string, method: string, path: string, body?: object): Promise<Response> => {
    const answer = await fetch(origin + path, {
      method,
      headers: { ...page, cookie, 'X-Scrip-Project': credentials.project_id },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (answer.status > 299)
      throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]!.split(';')[0]!;
  const { headers } = await scrip.callAsManager('POST', '/management/v1/projects/users/invite', {
    ...{ email: login, first_name: 'Ann', last_name: 'King' },
    projects: { [credentials.project_id]: role },
  });
  const invitation = headers.get('x-scrip-one-time-password') ?? '';
  const begun = await ask('', 'POST', '/dashboard/api/session', { login, password: invitation });
  const changed = await ask(cookieOf(begun), 'PUT', '/dashboard/api/session/password', {
    ...{ current_password: invitation, password },
  });
  const cookie = cookieOf(changed);
  return {
    login,
    ask: async <Answer>(method: string, path: string, body?: object) =>
      (await (await ask(cookie, method, path, body)).json()) as Answer,
  };
};
