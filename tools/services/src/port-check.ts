import { once } from 'node:events';
import { createServer } from 'node:net';

/** Throws what listening on the address would throw (`EADDRINUSE`), before anything else is started for it. */
export const checkPort = async (host: string, port: number): Promise<void> => {
  const probe = createServer();
  const listening = once(probe, 'listening');
  probe.listen(port, host);
  await listening;
  probe.close();
  await once(probe, 'close');
};
