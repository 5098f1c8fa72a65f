import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Distribution } from '../config/distribution';
import type { ScripSettings } from '../config/scrip-config';
import type { Readiness } from '../health/readiness';
import type { ScripLogger } from '../logging/scrip-logger';
import { Metrics } from '../metrics/metrics';
import { measuredUpstreams, type UpstreamMeasurements } from '../metrics/upstream-metrics';
import { GatewayModule } from './gateway.module';
import { type HttpProcess, startHttpProcess } from './http-process';

/** Settings of a gateway: no database, no master key. */
export interface GatewayConfig extends ScripSettings {
  distribution: Distribution;
}

/** The parts of a gateway. */
export interface GatewayOptions {
  config: GatewayConfig;
  /** Options of Fastify, hooks and routes, and readiness checks. */
  edge: {
    fastifyOptions: object;
    register: (
      app: NestFastifyApplication,
      config: GatewayConfig,
      process: { metrics: UpstreamMeasurements; counters: Metrics; readiness: Readiness },
    ) => void | Promise<void>;
  };
  logger?: ScripLogger;
}

/** Boots a gateway in this process; services need not run yet. Resolves and rejects like `bootScrip`. */
export const bootGateway = ({ config, edge, logger }: GatewayOptions): Promise<HttpProcess> => {
  const metrics = new Metrics();
  return startHttpProcess({
    name: 'gateway',
    root: GatewayModule.of(config.distribution, metrics),
    config,
    metrics,
    fastifyOptions: edge.fastifyOptions,
    ...(logger ? { logger } : {}),
    assemble: async (app, readiness) => {
      await edge.register(app, config, { metrics: measuredUpstreams(metrics), counters: metrics, readiness });
      return {};
    },
  });
};
