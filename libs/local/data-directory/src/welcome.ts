import type { Credentials } from './credentials';

const keysOf = (credentials: Credentials): string => `
  project           ${credentials.project_id}
  application       ${credentials.app_id}  ${credentials.app_token}
  client-side       ${credentials.client_app_id}  ${credentials.client_token}
  management        ${credentials.management_id}  ${credentials.management_token}
  webhook token     ${credentials.webhook_token}

They are shown this once.`;

/** What the first start prints: where the keys are, and a first call to try. The keys themselves only where
 *  standard output is a terminal: otherwise it is often a log that others read. */
export const welcome = (
  credentials: Credentials,
  path: string,
  { isTTY: isTerminal }: { isTTY: boolean },
): string => {
  const [id, token] = isTerminal ? [credentials.app_id, credentials.app_token] : ['<app_id>', '<app_token>'];
  return `
The demo project is ready. Its keys are in ${path}${isTerminal ? `:\n${keysOf(credentials)}` : '.'} A first call to try:

  curl ${credentials.base_url}/v1/campaigns \\
    -H 'X-App-Id: ${id}' -H 'X-App-Token: ${token}' \\
    -H 'Content-Type: application/json' -d '{
      "name": "Welcome", "campaign_type": "DISCOUNT_COUPONS", "type": "AUTO_UPDATE", "vouchers_count": 10,
      "voucher": { "type": "DISCOUNT_VOUCHER", "discount": { "type": "PERCENT", "percent_off": 10 } }
    }'

npm run demo walks the whole main job against this server; the README has it step by step.
`;
};
