import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Something that is started for the first suite that asks, in the process that outlives all suites of a run. */
export interface Offer {
  /** GET answers 200 with what was started, as text, or 503 with why it was not. */
  readonly url: string;
  /** Stops it where it was started. */
  stop(): Promise<void>;
}

/** What an offer starts. */
export interface Offered {
  /** What each asker is answered. */
  answer(): string | Promise<string>;
  stop(): Promise<void>;
}

// A suite that computes for seconds would not notice that its connection was closed meanwhile, and use it.
const lastAnswer = { Connection: 'close' };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Offers what `start` starts when the first suite asks, since most runs need none. */
export const offer = async (start: () => Promise<Offered>): Promise<Offer> => {
  let started: Promise<Offered> | undefined;
  const server = createServer((_request, response) => {
    started ??= start();
    started
      .then((offered) => offered.answer())
      .then(
        (answer) => response.writeHead(200, lastAnswer).end(answer),
        (error: unknown) => response.writeHead(503, lastAnswer).end(messageOf(error)),
      );
  });
  // A start may take longer than Node gives a request.
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await (await started?.catch(() => undefined))?.stop();
    },
  };
};

/** Returns the answer of an offer. Throws `Error` saying why there is none. */
export const takeOffer = async (url: string): Promise<string> => {
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
};
