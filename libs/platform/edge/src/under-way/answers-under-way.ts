import type { FastifyReply, FastifyRequest } from 'fastify';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { whenAnswerEnds } from './answer-end';
import { type BytesHolder, BytesUnderWay, type BytesUnderWaySizes } from './bytes-under-way';

/** What the buffers of two sockets hold of an answer that goes through as a stream. */
export const streamedBytes = 131_072;

const noRoom = (): EdgeFailure =>
  new EdgeFailure(
    failures.unavailable('Too many answers are under way that were not read yet. Read them, and try again.'),
  );

/** The room of one answer, which is counted once, when its bytes are known. */
export class AnswerRoom {
  private isTaken = false;

  constructor(
    private readonly bytes: BytesUnderWay,
    private readonly holder: BytesHolder,
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {}

  /** Throws `EdgeFailure` where answers of the holder fill its share already. */
  check(): void {
    if (this.bytes.isFull(this.holder)) throw noRoom();
  }

  /** Counts an answer until the system has taken it, or its connection has ended. Where the share is full, throws
   *  `EdgeFailure` for what was read only. The answer of a command is sent all the same, as what it did is done, and so is
   *  a failure. An answer that finds any room has enough, so that one larger than the share can be had. */
  take(status: number, bytes: number): void {
    if (this.isTaken || bytes === 0) return;
    const { method } = this.request;
    if (status < 400 && (method === 'GET' || method === 'HEAD')) this.check();
    this.isTaken = true;
    whenAnswerEnds(this.request, this.reply, this.bytes.hold(this.holder, bytes));
  }
}

/** Counts answers of this process that their readers have not taken yet. */
export class AnswersUnderWay {
  private readonly bytes: BytesUnderWay;

  constructor(sizes: BytesUnderWaySizes) {
    this.bytes = new BytesUnderWay(sizes);
  }

  /** The room for the answer of a request. */
  of(request: FastifyRequest, reply: FastifyReply, holder: BytesHolder): AnswerRoom {
    return new AnswerRoom(this.bytes, holder, request, reply);
  }
}
