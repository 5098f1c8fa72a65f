import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A webhook as it arrived the first time. */
export interface ReceivedWebhook {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** A consumer of webhooks on this machine. */
export interface Receiver {
  readonly url: string;
  /** In order of arrival, each id once. */
  readonly received: readonly ReceivedWebhook[];
  /** Deliveries whose signature was wrong. */
  readonly forged: number;
  close(): void;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/** Listens on a free loopback port, checks signatures with the project's webhook token, and tells repeated deliveries by
 *  their id. */
export const startReceiver = async (webhookToken: string): Promise<Receiver> => {
  const webhook = new Webhook(webhookToken);
  const byId = new Map<string, ReceivedWebhook>();
  let forged = 0;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      try {
        const { type, data } = webhook.verify(
          body,
          request.headers as Record<string, string>,
        ) as ReceivedWebhook;
        const id = String(request.headers['webhook-id']);
        if (!byId.has(id)) byId.set(id, { id, type, data });
        response.end();
      } catch {
        forged += 1;
        response.writeHead(401).end();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    get received() {
      return [...byId.values()];
    },
    get forged() {
      return forged;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
