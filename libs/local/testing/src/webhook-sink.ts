import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from './wait-until';

/** One request as it arrived. */
export interface ReceivedWebhook {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes that a signature covers. */
  readonly rawBody: Buffer;
  readonly receivedAt: Date;
  /** The body as JSON. Throws `SyntaxError` when it is none. */
  json<Body = any>(): Body;
}

/** What the sink answers. `'hang up'` closes the connection without an answer. */
export type SinkAnswer =
  'hang up' | { status?: number; body?: string; headers?: Record<string, string>; delayMs?: number };

/** Chooses an answer; `count` is 1 for the sink's first request. */
export type AnswerRule = (webhook: ReceivedWebhook, count: number) => SinkAnswer;

/** Tells requests apart, for example by path. */
export type WebhookFilter = (webhook: ReceivedWebhook) => boolean;

/** A receiver of webhooks on a free loopback port. */
export interface WebhookSink {
  readonly url: string;
  /** From now on answers so; 200 with an empty body at first. */
  answer(rule: SinkAnswer | AnswerRule): void;
  /** Requests so far, in order of arrival. */
  received(filter?: WebhookFilter): ReceivedWebhook[];
  /** Resolves with the requests as soon as there are `count` of them. */
  waitFor(
    count: number,
    options?: { filter?: WebhookFilter; timeoutMs?: number; what?: string },
  ): Promise<ReceivedWebhook[]>;
  /** Forgets the requests received. */
  clear(): void;
  close(): Promise<void>;
}

const readWebhook = async (request: IncomingMessage): Promise<ReceivedWebhook> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const rawBody = Buffer.concat(chunks);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    rawBody,
    receivedAt: new Date(),
    json: () => JSON.parse(rawBody.toString('utf8')),
  };
};

const send = async (response: ServerResponse, answer: SinkAnswer): Promise<void> => {
  if (answer === 'hang up') {
    response.destroy();
    return;
  }
  const { status = 200, body = '', headers = {}, delayMs = 0 } = answer;
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
  response.writeHead(status, headers).end(body);
};

/** Starts a sink. Close it at the end of the suite. */
export const webhookSink = async (): Promise<WebhookSink> => {
  const webhooks: ReceivedWebhook[] = [];
  let arrivals = 0;
  let rule: AnswerRule = () => ({});

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const webhook = await readWebhook(request);
    webhooks.push(webhook);
    arrivals += 1;
    await send(response, rule(webhook, arrivals));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy()); // The caller hung up midway, or the rule threw.
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const received = (filter: WebhookFilter = () => true): ReceivedWebhook[] => webhooks.filter(filter);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (next) => {
      rule = typeof next === 'function' ? next : () => next;
    },
    received,
    waitFor: (count, { filter, timeoutMs, what = `${count} webhooks` } = {}) =>
      waitUntil(
        () => {
          const arrived = received(filter);
          return arrived.length >= count && arrived;
        },
        { what, timeoutMs },
      ),
    clear: () => void webhooks.splice(0),
    close: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
};
