import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';

/** How long a request may take to arrive while its server closes. */
const arrivalMs = 2_000;

/** The state of a connection; `since`: when the next request may have begun to arrive. */
interface Use {
  request: IncomingMessage | null;
  since: number;
}

/** Tracks the connections of a server, so that it can close. Node treats a connection without a complete request as
 *  busy, and a closing server would wait for it without a limit. */
export class OpenConnections {
  private readonly uses = new Map<Socket, Use>();

  constructor(
    private readonly server: Server,
    private readonly patienceMs = arrivalMs,
  ) {
    // Requests name the socket above the encryption; a handshake ends by itself.
    const opened = server instanceof SecureServer ? 'secureConnection' : 'connection';
    server.on(opened, (socket: Socket) => {
      this.begin(socket, null);
      socket.once('close', () => this.uses.delete(socket));
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { socket } = request;
      this.begin(socket, request);
      response.once('close', () => {
        if (this.uses.get(socket)?.request === request) this.begin(socket, null);
      });
    });
  }

  /** Closes connections on which no answer is due, some time after the server began to close at `closingSince` (a
   *  value of `performance.now()`). Call it repeatedly. */
  closeUnused(closingSince: number): void {
    this.server.closeIdleConnections();
    const latest = performance.now() - this.patienceMs;
    for (const [socket, { request, since }] of this.uses)
      if (!request?.complete && Math.max(since, closingSince) <= latest) socket.destroy();
  }

  private begin(socket: Socket, request: IncomingMessage | null): void {
    this.uses.set(socket, { request, since: performance.now() });
  }
}
