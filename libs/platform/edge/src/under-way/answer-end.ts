import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const waitingFor = new WeakMap<Socket, Set<() => void>>();

/** One listener per connection, however many requests are pipelined on it. */
const callsAtEndOf = (socket: Socket): Set<() => void> => {
  const known = waitingFor.get(socket);
  if (known) return known;
  const calls = new Set<() => void>();
  waitingFor.set(socket, calls);
  socket.once('close', () => {
    for (const call of [...calls]) call();
  });
  return calls;
};

const atEndOf = new WeakMap<ServerResponse, (() => void)[]>();

/** Calls `over` once when the system has taken the whole answer, or its connection has ended. Node tells the end of a
 *  connection to the answer that is being sent, and not to those that wait behind it (pipelining). One listener per answer,
 *  however many wait for its end: with Node's own and those of streams there are ten otherwise, at which Node warns. */
export const whenAnswerEnds = (
  { raw: { socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
  over: () => void,
): void => {
  // A caller may have left while the answer was made: nothing tells of that end any more.
  if (socket.destroyed) return over();
  const known = atEndOf.get(response);
  if (known) return void known.push(over);
  const all = [over];
  atEndOf.set(response, all);
  const calls = callsAtEndOf(socket);
  const ended = (): void => {
    response.off('close', ended);
    if (!calls.delete(ended)) return;
    atEndOf.delete(response);
    for (const call of all) call();
  };
  calls.add(ended);
  response.once('close', ended);
};
