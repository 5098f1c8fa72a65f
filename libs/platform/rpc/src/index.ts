export { askingTls, type InternalTls, internalName, servingTls } from './internal-tls';
export { batchLoader } from './batch-loader';
export { fittingOf } from './fitting-answers';
export { type PortTransport, portClient } from './port-client';
export {
  type CallOutcome,
  type CircuitState,
  type ConnectionMetrics,
  type PortMetrics,
  noPortMetrics,
} from './port-metrics';
export { PortServer } from './port-server';
export { InjectPort, portToken, servePort, servedPortToken } from './port-tokens';
export { PortsModule, type PortsOptions } from './ports.module';
export { AddressBook, type ResolveHost, type RpcAddress, resolveBySystem } from './tcp/address-book';
export { type TcpLimits } from './tcp/tcp-limits';
export { TcpPortServer } from './tcp/tcp-port-server';
export { TcpPorts, type TcpPortsOptions } from './tcp/tcp-ports';
