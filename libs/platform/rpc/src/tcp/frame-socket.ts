import { TcpSocket } from '@nestjs/microservices';

/** An outgoing message: its JSON, which is made once, and its state. */
export interface Frame {
  readonly body: string;
  readonly bytes: number;
  /** Set when no caller waits any more: the frame is dropped if it is still queued. */
  dropped?: boolean;
  /** Set when the kernel has at least a part of it: the other side may have read it. */
  handedOver?: boolean;
}

/** Thrown for a message that breaks the protocol; the connection is closed. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

const headerBytes = 4;
// Many small frames share a system call; a frame above this size has its own.
const blockBytes = 262_144;
// Calls in progress may still queue answers after reading stopped; beyond this multiple of the limit the socket is
// closed.
const overfull = 16;

/** Throws `RangeError` for a message above `limitBytes`, before any byte of it is sent. */
export const frameOf = (message: readonly unknown[], limitBytes: number, what: string): Frame => {
  const body = JSON.stringify(message);
  const bytes = Buffer.byteLength(body);
  if (bytes > limitBytes) throw new RangeError(`${what} has ${bytes} bytes, ${limitBytes} fit into a frame`);
  return { body, bytes };
};

/** Frames of a 32-bit length and JSON over Nest's socket wrapper. Its users get messages by `on('message')`.
 *  Not Nest's `JsonSocket`: see ADR 20. */
export class FrameSocket extends TcpSocket {
  /** A longer frame closes the socket as soon as its length is read. */
  limitBytes = 1_024;
  /** Reading stops above this many queued bytes, so that a peer that sends calls but reads no answers is slowed down.
   *  Set it on one side of a connection only; two such sides could wait for each other for ever. */
  readsBelowBytes = Number.POSITIVE_INFINITY;
  /** Called after queued bytes went to the kernel. */
  flushed: () => void = () => undefined;
  queuedBytes = 0;

  private queue: Frame[] = [];
  private scheduled = false;
  private writing = false;
  private received: Buffer[] = [];
  private receivedBytes = 0;
  private wantedBytes = headerBytes;

  /** Queues a frame. Frames of one turn of the event loop are written together. */
  send(frame: Frame): void {
    if (this.socket.destroyed) return;
    this.queue.push(frame);
    this.queuedBytes += frame.bytes;
    if (this.queuedBytes > this.readsBelowBytes) this.socket.pause();
    if (this.queuedBytes > overfull * this.readsBelowBytes) {
      return this.handleDataError(new ProtocolError('the other side does not read its answers'));
    }
    if (this.scheduled || this.writing) return;
    this.scheduled = true;
    process.nextTick(() => this.flush());
  }

  /** Removes and returns the queued frames of which the kernel has no byte. */
  takeUnsent(): Frame[] {
    const unsent = this.queue;
    this.queue = [];
    this.queuedBytes = 0;
    return unsent;
  }

  protected handleSend(message: readonly unknown[]): void {
    const body = JSON.stringify(message);
    this.send({ body, bytes: Buffer.byteLength(body) });
  }

  protected handleData(chunk: Buffer): void {
    this.received.push(chunk);
    this.receivedBytes += chunk.length;
    if (this.receivedBytes < this.wantedBytes) return;
    const data = this.received.length === 1 ? chunk : Buffer.concat(this.received, this.receivedBytes);
    const rest = data.subarray(this.readFrames(data));
    this.received = rest.length > 0 ? [rest] : [];
    this.receivedBytes = rest.length;
  }

  protected override emitMessage(body: string): void {
    let message: unknown;
    try {
      message = JSON.parse(body);
    } catch {
      // The parser's error would show the payload.
      throw new ProtocolError('a frame that is no JSON');
    }
    this.socket.emit('message', message);
  }

  protected override handleDataError(error: Error): void {
    this.socket.destroy(error);
  }

  /** Emits the complete frames at the start of `data` and returns where they end. */
  private readFrames(data: Buffer): number {
    let at = 0;
    this.wantedBytes = headerBytes;
    while (data.length - at >= headerBytes && !this.socket.destroyed) {
      const bytes = data.readUInt32BE(at);
      if (bytes === 0 || bytes > this.limitBytes) throw new ProtocolError(`a frame of ${bytes} bytes`);
      const end = at + headerBytes + bytes;
      if (data.length < end) {
        this.wantedBytes = headerBytes + bytes;
        break;
      }
      this.emitMessage(data.toString('utf8', at + headerBytes, end));
      at = end;
    }
    return at;
  }

  private flush(): void {
    this.scheduled = false;
    if (this.writing || this.queue.length === 0 || this.socket.destroyed) return;
    this.writing = true;
    this.socket.write(this.nextBlock(), () => {
      this.writing = false;
      if (this.queuedBytes <= this.readsBelowBytes && this.socket.isPaused()) this.socket.resume();
      this.flush();
      this.flushed();
    });
  }

  private nextBlock(): Buffer {
    let count = 0;
    let size = 0;
    for (const frame of this.queue) {
      if (size > 0 && size + frame.bytes > blockBytes) break;
      count += 1;
      if (!frame.dropped) size += headerBytes + frame.bytes;
    }
    const frames = this.queue.splice(0, count);
    const block = Buffer.allocUnsafe(size);
    let at = 0;
    for (const frame of frames) {
      this.queuedBytes -= frame.bytes;
      if (frame.dropped) continue;
      frame.handedOver = true;
      at = block.writeUInt32BE(frame.bytes, at);
      at += block.write(frame.body, at);
    }
    return block;
  }
}
