import { Bootstrap } from '@scrip/auth';
import { type WebhooksPort, webhooksPort } from '@scrip/contracts/webhooks';
import type { Credentials, DemoKeys } from '@scrip/data-directory';
import { internalContext } from '@scrip/kernel';
import { portToken } from '@scrip/rpc';
import type { RunningApp, ScripConfig } from '@scrip/service';

/** Makes the demo project and its keys where they are missing, and tells what its callers need. Repeating it changes
 *  nothing. */
export const openDemoProject = async (
  { app }: RunningApp,
  { baseUrl }: Pick<ScripConfig, 'baseUrl'>,
  keys: DemoKeys,
): Promise<Credentials> => {
  const { project, ...ids } = await app.get(Bootstrap, { strict: false }).run(keys);
  const webhooks = app.get<WebhooksPort>(portToken(webhooksPort), { strict: false });
  const { webhook_token } = await webhooks.webhookToken(internalContext(project), null);
  return {
    base_url: baseUrl,
    project_id: project.id,
    app_id: ids.server.id,
    app_token: keys.appToken.reveal(),
    client_app_id: ids.client.id,
    client_token: keys.clientToken.reveal(),
    management_id: ids.management.id,
    management_token: keys.managementToken.reveal(),
    webhook_token,
  };
};
