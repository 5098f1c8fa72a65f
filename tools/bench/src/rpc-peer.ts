// The other process of the RPC row: serves `echo` as services serve their ports, and beside it by Nest's own transport.
import { ServerTCP } from '@nestjs/microservices';
import { PortServer, TcpPortServer, noPortMetrics } from '@scrip/rpc';
import { echoPort } from './rpc-port';

const main = async (): Promise<void> => {
  const handlers = { echo: async (_context: unknown, request: unknown) => request };
  const ports = new PortServer((port) => (port === echoPort ? handlers : undefined), {
    maxInFlight: 1_000,
    checkJson: false,
    metrics: noPortMetrics,
  });
  const secret = Buffer.from(process.env['RPC_SECRET'] ?? '', 'base64url');
  const ours = new TcpPortServer(ports, { host: '127.0.0.1', port: 0, secret });
  const nests = new ServerTCP({ host: '127.0.0.1', port: 0 });
  nests.addHandler('echo', async ({ request }) => request);
  await new Promise<void>((resolve, reject) => ours.listen((error) => (error ? reject(error) : resolve())));
  await new Promise<void>((resolve) => nests.listen(() => resolve()));
  const nestsPort = nests.unwrap<{ address(): { port: number } }>().address().port;
  process.stdout.write(`listening on ${ours.address.port}/${nestsPort}\n`);
  process.on('SIGTERM', () => {
    nests.close();
    void ours.close();
  });
};

void main();
