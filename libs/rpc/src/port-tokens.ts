import { Inject, type Provider, type Type } from '@nestjs/common';
import type { Port } from './port';

/** Provider token under which callers receive a port. */
export const portToken = (port: Port<object>): symbol => Symbol.for(`scrip.port.${port.name}`);

/** Provider token of the implementation that serves a port in this process; tests override this one. */
export const servedPortToken = (port: Port<object>): symbol => Symbol.for(`scrip.port.${port.name}.served`);

/** Injects a port into a caller. The owner may live in this process or in another one. */
export const InjectPort = (port: Port<object>) => Inject(portToken(port));

/** Provider that makes `handlers` answer a port. It belongs into the owner's module, which gives the class its
 *  dependencies; it is resolved at the first call, so contexts may depend on each other. */
export const servePort = <T extends object>(port: Port<T>, handlers: Type<T>): Provider => ({
  provide: servedPortToken(port),
  useClass: handlers,
});
