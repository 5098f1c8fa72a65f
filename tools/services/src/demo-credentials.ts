import { authPort } from '@scrip/contracts/auth';
import { webhooksPort } from '@scrip/contracts/webhooks';
import type { ChosenDemoKeys, Credentials } from '@scrip/data-directory';
import { internalContext, isRefused, newRequestId } from '@scrip/kernel';
import { noPortMetrics, portClient, TcpPorts } from '@scrip/rpc';
import { rpcKey } from '@scrip/service';
import type { SharedEnvironment } from './process-environment';

const answerWithinMs = 20_000;

/** Returns the credentials of the demo project, asked from auth and webhooks. Throws `Error` when they do not
 *  answer. */
export const demoCredentials = async (
  { plans, reachableHost, internalSecret, tls = null, baseUrl }: SharedEnvironment,
  keys: ChosenDemoKeys,
): Promise<Credentials> => {
  const tcp = new TcpPorts({
    secret: rpcKey({ internalSecret }),
    tls,
    addressesOf: (port) =>
      plans.flatMap(({ name, rpcPort }) =>
        name === port && rpcPort !== null ? [{ host: reachableHost, port: rpcPort }] : [],
      ),
  });
  try {
    const call = { requestId: newRequestId(), deadlineAt: Date.now() + answerWithinMs, traceparent: null };
    const auth = portClient(authPort, tcp.transportTo(authPort.name), noPortMetrics);
    const project = await auth.loadProject(call, { project_id: keys.projectId });
    if (isRefused(project)) throw new Error(`the demo project is not there: ${project.refused}`);
    const webhooks = portClient(webhooksPort, tcp.transportTo(webhooksPort.name), noPortMetrics);
    const { webhook_token } = await webhooks.webhookToken({ ...internalContext(project), ...call }, null);
    return {
      base_url: baseUrl,
      project_id: keys.projectId,
      app_id: keys.appId,
      app_token: keys.appToken.reveal(),
      client_app_id: keys.clientAppId,
      client_token: keys.clientToken.reveal(),
      management_id: keys.managementId,
      management_token: keys.managementToken.reveal(),
      webhook_token,
    };
  } finally {
    await tcp.close();
  }
};
