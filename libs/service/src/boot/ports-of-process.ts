import type { DynamicModule } from '@nestjs/common';
import { sharedKey } from '@scrip/kernel';
import { PortsModule, TcpPorts } from '@scrip/rpc';
import type { Distribution } from '../config/distribution';
import type { ContextName } from '../context/context-definition';
import { eventLogPorts } from '../event-log/event-log.port';
import type { Metrics } from '../metrics/metrics';
import { measuredConnections, measuredPorts } from '../metrics/port-metrics';

/** The key with which the two ends of a connection between services prove themselves. */
export const rpcKey = ({ internalSecret }: Pick<Distribution, 'internalSecret'>): Buffer =>
  sharedKey(internalSecret, 'rpc');

const serviceOf = (port: string): ContextName => port.split('.', 1)[0] as ContextName;

/** Gives the contexts of a process the ports of all: directly where the owner lives here, else over the network. */
export const portsOfProcess = (
  local: readonly ContextName[],
  { distribution, metrics }: { distribution: Distribution | null; metrics: Metrics },
): DynamicModule => {
  const measured = { metrics: measuredPorts(metrics) };
  if (!distribution) return PortsModule.inProcess(measured);
  const tcp = new TcpPorts({
    secret: rpcKey(distribution),
    addressesOf: (port) =>
      distribution.services[serviceOf(port)].map(({ host, rpcPort }) => ({ host, port: rpcPort })),
    metrics: measuredConnections(metrics),
  });
  const ports = local.flatMap((name) => [name, eventLogPorts[name].name]);
  return PortsModule.distributed({ ...measured, local: ports, tcp });
};
