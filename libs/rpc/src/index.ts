export { coalesce } from './coalesce';
export { type Deadlined, type Port, type PortMethod, definePort, definedPorts } from './port';
export { type PortTransport, portClient } from './port-client';
export { type CallOutcome, type PortMetrics, noPortMetrics } from './port-metrics';
export { PortServer, type PortServerOptions } from './port-server';
export { InjectPort, portToken, servePort, servedPortToken } from './port-tokens';
export { PORT_METRICS, PortsModule, type PortsOptions } from './ports.module';
