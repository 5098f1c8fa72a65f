import type { ScripProject } from '@scrip/testing';
import { type Call, mediaTypeOf } from '../documented-calls.fixture';
import { bodyAs } from './body-as.fixture';

/** Of an answer. */
export type Json = Record<string, any>;

// The project does not trust it.
const origin = 'https://stranger.example.com';

/** Calls operations as the document names them, and keeps what was asked and answered. */
export interface DocumentedCaller {
  readonly asked: readonly Call[];
  /** `parameters`: of the path; the project is known. */
  send(
    method: Call['method'],
    path: string,
    request?: { parameters?: Record<string, string>; query?: string; body?: unknown },
  ): Promise<{ status: number; answer: Json }>;
}

/** Returns a caller with the credentials of a project, and with the session of the user who signs in. */
export const documentedCaller = (scrip: ScripProject): DocumentedCaller => {
  const asked: Call[] = [];
  /** Of the user's session; empty before. */
  let cookie = '';

  const credentialsOf = (path: string): Record<string, string> => {
    const { management_id, management_token, client_app_id, client_token } = scrip.credentials;
    if (path.startsWith('/management'))
      return { 'x-management-id': management_id, 'x-management-token': management_token };
    if (path.startsWith('/dashboard'))
      return {
        ...{ 'x-scrip-dashboard': '1', 'sec-fetch-site': 'same-origin', cookie },
        'x-scrip-project': scrip.credentials.project_id,
      };
    if (!path.startsWith('/client')) return scrip.serverKeys;
    return {
      'x-client-application-id': client_app_id,
      'x-client-token': client_token,
      origin,
    };
  };

  const send: DocumentedCaller['send'] = async (method, path, { parameters = {}, query = '', body } = {}) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent({ projectId: scrip.credentials.project_id, ...parameters }[name] ?? ''),
    );
    const sent: Partial<ReturnType<typeof bodyAs>> =
      body === undefined ? {} : bodyAs(mediaTypeOf(method, path), body as Record<string, string>);
    const response = await fetch(scrip.origin + filled + query, {
      method,
      ...sent,
      // What the document names, the API reads.
      headers: { ...credentialsOf(path), prefer: 'handling=strict', ...sent.headers },
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) cookie = set.split(';')[0] ?? '';
    const text = await response.text();
    const answer = text === '' ? null : (JSON.parse(text) as Json);
    asked.push({ method, path, status: response.status, body, answer });
    return { status: response.status, answer: answer ?? {} };
  };

  return { asked, send };
};
