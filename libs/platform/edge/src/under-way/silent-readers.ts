import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { whenAnswerEnds } from './answer-end';

const logger = new Logger('Edge');

/** For how many beats of this process in a row the system may take nothing of what waits for a reader. */
export interface ReaderPatience {
  beats: number;
  everyMs: number;
}

/** 30 to 33 seconds. Linux tells that there is room again when a third of its send buffer is free, which is up to 1.4 MB:
 *  a reader of 50 KB/s seems to stand still for most of that time. */
export const defaultReaderPatience: ReaderPatience = { beats: 10, everyMs: 3_000 };

interface Standing {
  socket: Socket;
  waitingBytes: number;
  beats: number;
}

/** What waits for the reader in this process. Streams of Node count whole chunks, and an answer may be one chunk; how
 *  much of it the system has taken, the handle of the socket says. */
export const waitingBytesOf = (socket: Socket): number => {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
};

/** Ends connections whose readers take nothing of their answers: what waits for them is memory of this process. One
 *  that nothing waits for stays, however long its answer takes to be made. Beats are counted, not time: a process that
 *  stood still has not seen what was taken meanwhile. */
export class SilentReaders {
  private readonly answers = new Map<FastifyReply, Standing>();

  constructor(private readonly patience: ReaderPatience) {}

  /** Counts beats until the server closes. */
  start(fastify: FastifyInstance): void {
    const timer = setInterval(() => this.beat(), this.patience.everyMs).unref();
    fastify.addHook('onClose', async () => clearInterval(timer));
  }

  /** An answer begins to be sent. */
  began(request: FastifyRequest, reply: FastifyReply): void {
    this.answers.set(reply, { socket: request.raw.socket, waitingBytes: 0, beats: 0 });
    whenAnswerEnds(request, reply, () => this.answers.delete(reply));
  }

  private beat(): void {
    const silent = new Set<Socket>();
    for (const standing of this.answers.values()) {
      const waitingBytes = waitingBytesOf(standing.socket);
      const stands = waitingBytes > 0 && waitingBytes === standing.waitingBytes;
      standing.beats = stands ? standing.beats + 1 : 0;
      standing.waitingBytes = waitingBytes;
      if (standing.beats >= this.patience.beats) silent.add(standing.socket);
    }
    if (silent.size === 0) return;
    for (const socket of silent) socket.destroy();
    logger.warn(`ended ${silent.size} connections whose readers took nothing of their answers`);
  }
}
