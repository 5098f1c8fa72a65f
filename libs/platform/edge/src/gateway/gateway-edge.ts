import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AuthPort } from '@scrip/contracts/auth';
import { newRequestId, type Secret } from '@scrip/kernel';
import type { InternalTls } from '@scrip/rpc';
import { admissionOptions, type AdmissionSettings } from '../admission/admission-settings';
import type { Counters } from '../call-log/stored-notes';
import { edgeFastifyOptions } from '../assembly/fastify-options';
import { serveDocs } from '../openapi/serve-docs';
import { fastifyOf } from '../assembly/register-edge';
import { requestContextKey } from '../signed-context/context-signature';
import { registerGateway } from './register-gateway';
import type { UpstreamMetrics } from './upstream-metrics';
import { type ServiceHosts, Upstreams } from './upstreams';

/** What a gateway reads of the configuration. */
interface GatewayConfig extends AdmissionSettings {
  distribution: { internalSecret: Secret; services: ServiceHosts; tls: InternalTls | null };
}

/** What the process of a gateway offers to its edge. */
interface GatewayProcess {
  metrics: UpstreamMetrics;
  counters: Counters;
  readiness: { add(name: string, check: () => Promise<string | null>): void };
}

const patienceMs = 1_500;

/** Behind a gateway many networks may fall silent: whatever does, callers have an answer within five seconds, unless
 *  `SCRIP_ANSWER_TIMEOUT_MS` says otherwise. */
const deadlineMs = 4_400;

/** Whether auth answers: without it no caller is let in. A refusal is an answer. */
const authAnswers = (auth: AuthPort) => async (): Promise<null> => {
  const call = { requestId: newRequestId(), deadlineAt: Date.now() + patienceMs, traceparent: null };
  await auth.loadProject(call, { project_id: 'none' });
  return null;
};

/** The edge of a process that has no contexts, as `bootGateway({ edge })` takes it. */
export const gatewayEdge = {
  fastifyOptions: edgeFastifyOptions(),
  register: (
    app: NestFastifyApplication,
    config: GatewayConfig,
    { metrics, counters, readiness }: GatewayProcess,
  ): void => {
    const { internalSecret, services, tls } = config.distribution;
    const options = admissionOptions(app, config, counters);
    const upstreams = new Upstreams(services, metrics, tls);
    registerGateway(app, {
      deadlineMs,
      ...options,
      contextKey: requestContextKey(internalSecret),
      upstreams,
    });
    serveDocs(fastifyOf(app));
    readiness.add('auth', authAnswers(options.auth));
    readiness.add('services', () => upstreams.firstAnswers.complaint());
  },
};
