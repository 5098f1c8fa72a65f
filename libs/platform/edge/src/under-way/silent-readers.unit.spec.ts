import { Logger } from '@nestjs/common';
import { waitUntil } from '@scrip/testing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { SilentReaders, waitingBytesOf } from './silent-readers';

const patience = { beats: 5, everyMs: 3_000 };
const beat = (beats = 1) => jest.advanceTimersByTime(beats * patience.everyMs);

class FakeSocket extends EventEmitter {
  writableLength = 1_000;
  _handle = { writeQueueSize: 600 };
  destroy = jest.fn();
}

describe('readers of answers', () => {
  let readers: SilentReaders;

  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    readers = new SilentReaders(patience);
    readers.start({ addHook: () => undefined } as unknown as FastifyInstance);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const answer = () => {
    const [socket, response] = [new FakeSocket(), new EventEmitter()];
    readers.began(
      { raw: { socket } } as unknown as FastifyRequest,
      { raw: response } as unknown as FastifyReply,
    );
    return { socket, response };
  };

  it('that take nothing for all beats lose their connection', () => {
    const { socket } = answer();
    beat(5);
    expect(socket.destroy).not.toHaveBeenCalled();
    beat();
    expect(socket.destroy).toHaveBeenCalledTimes(1);
  });

  it('that take a part of a chunk now and then keep it', () => {
    const { socket } = answer();
    for (let part = 0; part < 10; part += 1) {
      beat(5);
      socket._handle.writeQueueSize -= 10;
    }
    expect(socket.destroy).not.toHaveBeenCalled();
    beat(6);
    expect(socket.destroy).toHaveBeenCalledTimes(1);
  });

  it('that nothing waits for keep it, however long their answer takes to be made', () => {
    const { socket } = answer();
    Object.assign(socket, { writableLength: 0, _handle: { writeQueueSize: 0 } });
    beat(100);
    expect(socket.destroy).not.toHaveBeenCalled();
  });

  it('keep it where this process stood still', () => {
    const { socket } = answer();
    beat();
    jest.setSystemTime(Date.now() + 3_600_000);
    beat();
    expect(socket.destroy).not.toHaveBeenCalled();
  });

  it('are not looked at once their answers have left', () => {
    const { socket, response } = answer();
    response.emit('close');
    beat(10);
    expect(socket.destroy).not.toHaveBeenCalled();
  });
});

describe('what waits for a reader', () => {
  it('falls while the system takes one large chunk', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    const [socket] = (await once(server, 'connection')) as [Socket];
    const bytes = 64 * 1_048_576;
    socket.write(Buffer.alloc(bytes));
    const standing = waitingBytesOf(socket);
    let read = 0;
    reader.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > bytes / 2) reader.pause();
    });
    reader.resume();
    await waitUntil(() => reader.isPaused(), { what: 'half of the bytes' });
    // The chunk as a whole is still there.
    expect(socket.writableLength).toBe(bytes);
    expect(waitingBytesOf(socket)).toBeLessThan(standing);
    reader.destroy();
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
});
