import { Inject, type Provider, type Type } from '@nestjs/common';
import type { Port } from '@scrip/kernel';

/** Provider token under which callers receive a port. */
export const portToken = (port: Port<object>): symbol => Symbol.for(`scrip.port.${port.name}`);

/** Provider token of the implementation that serves a port in this process; tests override this one. */
export const servedPortToken = (port: Port<object>): symbol => Symbol.for(`scrip.port.${port.name}.served`);

/** Injects a port into a caller. The owner may run in this process or in another one. */
export const InjectPort = (port: Port<object>) => Inject(portToken(port));

/** Returns a provider that binds `handlers` to a port. Add it to the owner's module, which provides the dependencies
 *  of the class. It is resolved at the first call, so contexts may call each other. */
export const servePort = <T extends object>(port: Port<T>, handlers: Type<T>): Provider => ({
  provide: servedPortToken(port),
  useClass: handlers,
});
