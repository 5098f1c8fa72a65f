import type { Credentials } from './credentials';

/** What the first start prints: the keys, and a first call to try. */
export const welcome = (credentials: Credentials, path: string): string => `
The demo project is ready. Its keys are in ${path}:

  project           ${credentials.project_id}
  application       ${credentials.app_id}  ${credentials.app_token}
  client-side       ${credentials.client_app_id}  ${credentials.client_token}
  management        ${credentials.management_id}  ${credentials.management_token}
  webhook token     ${credentials.webhook_token}

They are shown this once. A first call to try:

  curl ${credentials.base_url}/v1/campaigns \\
    -H 'X-App-Id: ${credentials.app_id}' -H 'X-App-Token: ${credentials.app_token}' \\
    -H 'Content-Type: application/json' -d '{
      "name": "Welcome", "campaign_type": "DISCOUNT_COUPONS", "type": "AUTO_UPDATE", "vouchers_count": 10,
      "voucher": { "type": "DISCOUNT_VOUCHER", "discount": { "type": "PERCENT", "percent_off": 10 } }
    }'

npm run demo walks the whole main job against this server; the README has it step by step.
`;
