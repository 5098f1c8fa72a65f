import {
  type DynamicModule,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type Fault, type Port, definedPorts } from '@scrip/kernel';
import { type PortMetrics, noPortMetrics } from './port-metrics';
import { type PortTransport, portClient } from './port-client';
import { PortServer, type ResolveHandlers } from './port-server';
import { portToken, servedPortToken } from './port-tokens';
import { TcpPorts } from './tcp/tcp-ports';

export interface PortsOptions {
  /** Calls served at once per port before `Fault` `overloaded`, half of it for one project; 1,000 unless given. */
  maxInFlight?: number;
  metrics?: PortMetrics;
  /** Requests and answers are copied through JSON and checked; in tests (`NODE_ENV=test`) unless given. */
  checkJson?: boolean;
  /** Returns the `Fault` that an error of a handler in this process means to its caller, as `TcpPortServer` does to others. By default every
   *  error that is no `Fault` is thrown as it is. */
  faultOf?: (error: unknown) => Fault | undefined;
}

/** Provider token of the `PortMetrics` of all ports. */
export const PORT_METRICS = Symbol.for('scrip.port-metrics');

const handlersOf = (modules: ModuleRef): ResolveHandlers => {
  const found = new Map<string, object>();
  return (port) => {
    const known = found.get(port.name);
    if (known) return known;
    try {
      const handlers = modules.get<object>(servedPortToken(port), { strict: false });
      found.set(port.name, handlers);
      return handlers;
    } catch {
      // Nest throws when no module provides the token: the context is not part of this process.
      return undefined;
    }
  };
};

const clientOf = (port: Port<object>, transport: (server: PortServer) => PortTransport): Provider => ({
  provide: portToken(port),
  inject: [PortServer, PORT_METRICS],
  useFactory: (server: PortServer, metrics: PortMetrics) => portClient(port, transport(server), metrics),
});

/** Ends the connections of a process after it has answered its own callers. */
@Injectable()
class TcpPortsCloser implements OnApplicationShutdown {
  constructor(@Inject(TcpPorts) private readonly tcp: TcpPorts) {}

  onApplicationShutdown(): Promise<void> {
    return this.tcp.close();
  }
}

const inProcess =
  ({ faultOf }: Pick<PortsOptions, 'faultOf'>) =>
  (server: PortServer): PortTransport => ({
    async call(port, method, context, request) {
      try {
        return await server.serve(port, method, context, request);
      } catch (error) {
        throw faultOf?.(error) ?? error;
      }
    },
  });

/** Provides the ports that contexts inject. Global; import it once, in the application's root module. */
@Module({})
export class PortsModule {
  /** Connects ports within this process: a call goes directly to the provider that serves the port. */
  static inProcess(options: PortsOptions = {}): DynamicModule {
    return PortsModule.over(() => inProcess(options), options);
  }

  /** Connects the ports of the contexts in `local` directly and all others through `tcp`, which is closed with the
   *  application. */
  static distributed({
    local,
    tcp,
    ...options
  }: PortsOptions & { local: readonly string[]; tcp: TcpPorts }): DynamicModule {
    const module = PortsModule.over(
      ({ name }) => (local.includes(name) ? inProcess(options) : () => tcp.transportTo(name)),
      options,
    );
    const closing: Provider[] = [{ provide: TcpPorts, useValue: tcp }, TcpPortsCloser];
    return { ...module, providers: [...module.providers!, ...closing] };
  }

  /** Chooses a transport per port; `PortServer` is exported for the receiving end of a network transport. */
  static over(
    transportOf: (port: Port<object>) => (server: PortServer) => PortTransport,
    {
      maxInFlight = 1_000,
      metrics = noPortMetrics,
      checkJson = process.env.NODE_ENV === 'test',
    }: PortsOptions = {},
  ): DynamicModule {
    const clients = definedPorts().map((port) => clientOf(port, transportOf(port)));
    const server: Provider = {
      provide: PortServer,
      inject: [ModuleRef, PORT_METRICS],
      useFactory: (modules: ModuleRef, hooks: PortMetrics) =>
        new PortServer(handlersOf(modules), { maxInFlight, checkJson, metrics: hooks }),
    };
    return {
      module: PortsModule,
      global: true,
      providers: [{ provide: PORT_METRICS, useValue: metrics }, server, ...clients],
      exports: [PortServer, PORT_METRICS, ...definedPorts().map(portToken)],
    };
  }
}
