import { type DynamicModule, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type InternalTls, servingTls } from '@scrip/rpc';
import type { FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { type ScripSettings, urlOf } from '../config/scrip-config';
import { Readiness } from '../health/readiness';
import { logRequests } from '../logging/request-logging';
import { ScripLogger } from '../logging/scrip-logger';
import { measureRequests } from '../metrics/http-metrics';
import type { Metrics } from '../metrics/metrics';
import { type MetricsServer, serveMetrics } from '../metrics/metrics-server';
import { measureProcess } from '../metrics/process-metrics';
import { startTracing } from '../tracing/tracing';
import { OpenConnections } from './open-connections';

/** A process that serves HTTP. */
export interface HttpProcess {
  /** Of the listening socket, without a slash at its end. */
  readonly url: string;
  /** Under which the process shows its measurements. */
  readonly metricsUrl: string;
  readonly app: NestFastifyApplication;
  /** Stops accepting, lets requests, consumers and jobs end, closes all connections. May be called twice. */
  close(): Promise<void>;
}

/** The definition of an HTTP process. `Parts`: its further parts while it serves. */
export interface HttpProcessOptions<Parts extends object> {
  /** Its name in traces. */
  name: string;
  root: DynamicModule;
  config: ScripSettings;
  metrics: Metrics;
  fastifyOptions: object;
  /** Given: callers need a certificate of its authority. */
  tls?: InternalTls | null;
  logger?: ScripLogger;
  /** Registers everything that the application needs before it is initialized and listens. */
  assemble: (app: NestFastifyApplication, readiness: Readiness) => Parts | Promise<Parts>;
  /** Last part of the start, after the process listens; it becomes ready afterwards. */
  prepare?: (running: HttpProcess & Parts) => Promise<void>;
}

const idleSweepMs = 50;
const tlsHandshakeMs = 2_000;

// Without this, a connection whose request is answered during the close would be kept alive, and the close would wait
// a minute for it.
const closeOnceAnswered = async (
  app: NestFastifyApplication,
  connections: OpenConnections,
): Promise<void> => {
  const since = performance.now();
  const sweep = setInterval(() => connections.closeUnused(since), idleSweepMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
  }
};

/** Starts an HTTP process. Resolves when it serves; when it rejects, everything it had opened is closed again.
 *  `config.port` 0 takes a free port. */
export const startHttpProcess = async <Parts extends object>({
  name,
  root,
  config,
  metrics,
  fastifyOptions,
  tls = null,
  logger,
  assemble,
  prepare,
}: HttpProcessOptions<Parts>): Promise<HttpProcess & Parts> => {
  const log = logger ?? new ScripLogger({ level: config.logLevel });
  const stopTracing = await startTracing(name, config.tracing);
  measureProcess(metrics);
  const adapter = new FastifyAdapter({
    ...fastifyOptions,
    ...(tls ? { https: servingTls(tls, tlsHandshakeMs) } : {}),
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    forceCloseConnections: 'idle',
  } as object);
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: log,
    bodyParser: false,
    abortOnError: false,
  }).catch((error: unknown) => {
    // Parts that are still connecting cannot be closed. What they say once their database goes away is not why the
    // start failed.
    Logger.overrideLogger(false);
    throw error;
  });
  const connections = new OpenConnections(app.getHttpServer());
  let measurements: MetricsServer | undefined;
  try {
    const fastify = adapter.getInstance() as unknown as FastifyInstance;
    logRequests(fastify, log);
    measureRequests(metrics, fastify);
    const readiness = app.get(Readiness);
    let isPrepared = false;
    readiness.add('start', () => (isPrepared ? null : 'not finished'));
    const parts = await assemble(app, readiness);
    measurements = await serveMetrics({ metrics, readiness }, config.metrics);
    const { url: metricsUrl, close: closeMetrics } = measurements;
    await app.startAllMicroservices();
    await app.listen({ host: config.host, port: config.port });
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = urlOf(config.host, port, tls ? 'https' : 'http');
    if (config.port === 0) Object.assign(config, { baseUrl: url });
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      readiness.close();
      closing ??= closeOnceAnswered(app, connections)
        .then(closeMetrics)
        .then(stopTracing)
        .finally(() => log.flush());
      return closing;
    };
    const running = { ...parts, url, metricsUrl, app, close };
    await prepare?.(running);
    isPrepared = true;
    readiness.recheck();
    return running;
  } catch (error) {
    await closeOnceAnswered(app, connections).catch((failure: unknown) => new Logger('Boot').error(failure));
    await measurements?.close();
    await stopTracing();
    throw error;
  }
};
