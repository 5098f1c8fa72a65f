import type { RouteRow } from '@scrip/contracts/registry';
import type { JsonSchema } from './json-schema';

const header = (name: string, description: string): JsonSchema => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
});

/** Source: reference 07 §2. */
export const securitySchemes: Readonly<Record<string, JsonSchema>> = {
  serverAppId: header('X-App-Id', 'Id of a server-side key.'),
  serverAppToken: header('X-App-Token', 'Secret of the server-side key.'),
  clientAppId: header('X-Client-Application-Id', 'Id of a client-side key.'),
  clientToken: header('X-Client-Token', 'Secret of the client-side key.'),
  managementId: header('X-Management-Id', 'Id of a management key.'),
  managementToken: header('X-Management-Token', 'Secret of the management key.'),
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-scrip',
    description:
      'The session of a user; by http on this machine its name is `scrip`. Calls with it send `X-Scrip-Dashboard: 1`.',
  },
  downloadToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description:
      'The token of a link to a file. It works for an hour, and no other credentials are looked at.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token of POST /v1/oauth/token, in `Authorization` or `X-Service-OAuth`. Each call names the scope that it ' +
      'needs; `api` stands for all scopes of the server-side API, `client_api` for those of the client-side API.',
  },
};

/** Who may call a route: one of these. */
export const securityOf = ({ area, scope, beginsSession, opensByToken }: RouteRow): JsonSchema[] => {
  const token = scope === null ? [] : [{ accessToken: [scope] }];
  switch (area) {
    case 'server':
    case 'oauth':
      return [
        { serverAppId: [], serverAppToken: [] },
        ...token,
        ...(opensByToken ? [{ downloadToken: [] }] : []),
      ];
    case 'client':
      return [{ clientAppId: [], clientToken: [] }, ...token];
    case 'management':
      return [{ managementId: [], managementToken: [] }];
    case 'dashboard':
      return beginsSession ? [] : [{ session: [] }];
    case 'open':
      return [];
  }
};
