/** What a shop needs to call Scrip. */
export interface Caller {
  readonly origin: string;
  /** What the project's server key sends with each call. */
  readonly serverKeys: Readonly<Record<string, string>>;
  /** Calls as the server key. Throws on a status above 299. */
  ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The same as the management key. */
  manage<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** The project that chaos runs open, and its keys. */
export const project = {
  id: 'proj_chaos',
  appId: 'chaos-app',
  appToken: 'chaos-token-0123456789abcdef',
  clientAppId: 'chaos-client',
  clientToken: 'chaos-client-token-0123456789',
  managementId: 'chaos-management',
  managementToken: 'chaos-management-token-0123456789',
};

const asker =
  (origin: string, headers: Readonly<Record<string, string>>) =>
  async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await fetch(origin + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as Answer;
  };

/** A caller of the project with chaos' own keys. */
export const callerOf = (origin: string): Caller => {
  const serverKeys = { 'x-app-id': project.appId, 'x-app-token': project.appToken };
  const managementKeys = {
    'x-management-id': project.managementId,
    'x-management-token': project.managementToken,
  };
  return { origin, serverKeys, ask: asker(origin, serverKeys), manage: asker(origin, managementKeys) };
};
