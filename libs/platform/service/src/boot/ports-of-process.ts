import type { DynamicModule } from '@nestjs/common';
import { isDatabaseAway } from '@scrip/event-store';
import { Fault, sharedKey } from '@scrip/kernel';
import { PortsModule, TcpPorts } from '@scrip/rpc';
import type { Distribution } from '../config/distribution';
import type { ContextName } from '@scrip/contracts/registry';
import { eventLogPorts } from '../event-log/event-log.port';
import type { Metrics } from '../metrics/metrics';
import { measuredConnections, measuredPorts } from '../metrics/port-metrics';

/** The key by which both ends of a connection between services prove their identity. */
export const rpcKey = ({ internalSecret }: Pick<Distribution, 'internalSecret'>): Buffer =>
  sharedKey(internalSecret, 'rpc');

/** Further keys by which clients may prove themselves. */
export const acceptedRpcKeys = ({
  acceptedInternalSecrets,
}: Pick<Distribution, 'acceptedInternalSecrets'>): Buffer[] =>
  acceptedInternalSecrets.map((secret) => sharedKey(secret, 'rpc'));

/** What an error of an owner means to its caller, wherever the owner runs: its database is away. */
export const faultOf = (cause: unknown): Fault | undefined =>
  isDatabaseAway(cause) ? new Fault('unavailable', 'PostgreSQL is away', { cause }) : undefined;

const serviceOf = (port: string): ContextName => port.split('.', 1)[0] as ContextName;

/** Provides all ports to the contexts of a process: directly when the owner runs here, otherwise over the network. */
export const portsOfProcess = (
  local: readonly ContextName[],
  { distribution, metrics }: { distribution: Distribution | null; metrics: Metrics },
): DynamicModule => {
  const measured = { metrics: measuredPorts(metrics), faultOf };
  if (!distribution) return PortsModule.inProcess(measured);
  const tcp = new TcpPorts({
    secret: rpcKey(distribution),
    tls: distribution.tls,
    addressesOf: (port) =>
      distribution.services[serviceOf(port)].map(({ host, rpcPort }) => ({ host, port: rpcPort })),
    metrics: measuredConnections(metrics),
  });
  const ports = local.flatMap((name) => [name, eventLogPorts[name].name]);
  return PortsModule.distributed({ ...measured, local: ports, tcp });
};
