import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import { type MetricsAddress, urlOf } from '../config/scrip-config';
import { type Readiness, readinessAnswer } from '../health/readiness';
import type { Metrics } from './metrics';

/** What is shown. */
export interface Operated {
  metrics: Metrics;
  readiness: Pick<Readiness, 'complaints'>;
}

/** The server of `/metrics`. */
export interface MetricsServer {
  /** Of the listening socket, without a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

const logger = new Logger('Metrics');
// A scrape looks things up in the database: more of them at once would only wait for each other.
const requestTimeoutMs = 10_000;
const connectionsMax = 16;

interface Page {
  status: number;
  type: string;
  text: string;
}

type Pages = Readonly<Record<string, () => Promise<Page>>>;

const pagesOf = ({ metrics: { registry }, readiness }: Operated): Pages => ({
  '/metrics': async () => ({ status: 200, type: registry.contentType, text: await registry.metrics() }),
  '/healthz': async () => ({ status: 200, type: 'application/json', text: '{"status":"ok"}' }),
  '/readyz': async () => {
    const { status, body } = await readinessAnswer(readiness);
    return { status, type: 'application/json', text: JSON.stringify(body) };
  },
});

const answering =
  (pages: Pages): RequestListener =>
  (request, response) => {
    const page = request.method === 'GET' ? pages[request.url?.split('?', 1)[0] ?? ''] : undefined;
    if (!page) {
      response.writeHead(404).end();
      return;
    }
    page().then(
      ({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text),
      (error: unknown) => {
        logger.error(error);
        response.writeHead(500).end();
      },
    );
  };

const listen = async (server: Server, { host, port, fallback }: MetricsAddress): Promise<void> => {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    if (!fallback || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    server.listen(0, host);
    await once(server, 'listening');
  }
};

/** Serves `/metrics`, `/healthz` and `/readyz` on an address of its own, for those who operate the process: the port of the
 *  API shows callers no measurements, and who asks here needs no certificate where that port demands one. Rejects when it
 *  cannot listen. */
export const serveMetrics = async (operated: Operated, address: MetricsAddress): Promise<MetricsServer> => {
  const server = createServer({ requestTimeout: requestTimeoutMs }, answering(pagesOf(operated)));
  server.maxConnections = connectionsMax;
  await listen(server, address);
  const url = urlOf(address.host, (server.address() as AddressInfo).port);
  logger.log(`measurements at ${url}/metrics`);
  return {
    url,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
