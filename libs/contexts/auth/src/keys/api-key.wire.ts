import type { StoredApiKey } from './api-key';

/** An application key, as management shows it. Source: reference 07 §14. */
export interface ApiKeyResponse {
  /** What is sent as `X-App-Id`, or as `X-Client-Application-Id`. */
  id: string;
  kind: 'server' | 'client';
  name: string;
  role: string;
  /** Whether it is a server key of an integration, which alone reaches GET /v1/publications/create. */
  integration: boolean;
  /** Whether it counts. */
  active: boolean;
  /** Addresses and ranges that it is admitted from; none: from anywhere. */
  allowed_ips: string[];
  created_at: string;
  /** When it was used last, to a minute or two. */
  last_used_at: string | null;
  object: 'api_key';
}

/** A key with its secret, which this answer alone has. */
export interface ApiKeyWithSecretResponse extends ApiKeyResponse {
  /** What is sent as `X-App-Token`, or as `X-Client-Token`. */
  secret: string;
}

export const renderApiKey = ({
  id,
  kind,
  name,
  role,
  integration,
  blocked,
  allowed_ips,
  created_at,
  last_used_at,
}: StoredApiKey): ApiKeyResponse => ({
  ...{ id, kind, name, role, integration, active: !blocked, allowed_ips },
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
  object: 'api_key',
});
