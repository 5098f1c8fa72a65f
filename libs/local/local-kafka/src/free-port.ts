import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the ports that outgoing connections take: a client that calls a stopped server again and again would at last
// be given the server's port, and be connected with itself.
const [portMin, portMax] = [15_000, 32_000];

const isFree = async (port: number): Promise<boolean> => {
  const probe = createServer();
  try {
    const listening = once(probe, 'listening');
    probe.listen(port, '127.0.0.1');
    await listening;
  } catch {
    return false; // Taken: the caller tries another one.
  }
  probe.close();
  await once(probe, 'close');
  return true;
};

/** A loopback port that no process listens on at this moment, and no outgoing connection will take. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(portMin, portMax);
    if (await isFree(port)) return port;
  }
};
