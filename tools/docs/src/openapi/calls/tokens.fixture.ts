import type { DocumentedCaller } from './documented-caller.fixture';

export const askTokens = async ({ send }: DocumentedCaller): Promise<void> => {
  const { answer: token } = await send('POST', '/v1/oauth/token', {
    body: { grant_type: 'client_credentials', scope: 'vouchers campaigns' },
  });
  const access = { access_token: token.access_token as string };
  await send('POST', '/v1/oauth/introspect', { body: access });
  await send('POST', '/v1/oauth/token/revoke', { body: access });
  await send('POST', '/v1/oauth/token/revoke', { body: access });
  await send('POST', '/v1/oauth/introspect', { body: access });
};
