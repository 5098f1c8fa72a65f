import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a request may take to arrive while its server closes. */
const arrivalMs = 2_000;

/** What is under way on a connection; `since`: from when on a request might arrive, or arrives. */
interface Use {
  request: IncomingMessage | null;
  since: number;
}

/** The connections of a server that is to close some time. Node itself counts one as busy on which nothing has come yet,
 *  or half a request, and a closing server waits for it as long as its client likes. */
export class OpenConnections {
  private readonly uses = new Map<Socket, Use>();

  constructor(
    private readonly server: Server,
    private readonly patienceMs = arrivalMs,
  ) {
    server.on('connection', (socket: Socket) => {
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

  /** Closes those on which no answer is due, a while after the server began to close at `closingSince` (as
   *  `performance.now()` said then); to be called again and again. */
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
