import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { FrameSocket, frameOf } from './frame-socket';

/** A wire whose writes wait until they are let through. */
const wire = () => {
  const blocks: Buffer[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Duplex({
    read: () => undefined,
    write: (block: Buffer, _encoding, done) => {
      blocks.push(block);
      waiting.push(done);
    },
  });
  const frames = new FrameSocket(stream as unknown as Socket);
  const messages: unknown[] = [];
  frames.on('message', (message: unknown) => messages.push(message));
  const errors: Error[] = [];
  stream.on('error', (error) => errors.push(error));
  return { stream, frames, blocks, messages, errors, letThrough: () => waiting.shift()?.() };
};

const turn = () => new Promise(setImmediate);

const bytesOf = (...messages: unknown[][]): Buffer =>
  Buffer.concat(
    messages.map((message) => {
      const body = Buffer.from(JSON.stringify(message));
      const header = Buffer.alloc(4);
      header.writeUInt32BE(body.length);
      return Buffer.concat([header, body]);
    }),
  );

const small = (text: string) => frameOf([text], 1_024, 'a message');

describe('frames received', () => {
  it('arrive whole wherever the network cuts them, also inside of a letter', () => {
    const message = [1, 'answer', 'gültig 東京 🎟️'];
    const bytes = bytesOf(message, ['pong']);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const { stream, messages } = wire();
      stream.emit('data', bytes.subarray(0, cut));
      stream.emit('data', bytes.subarray(cut));
      expect(messages).toEqual([message, ['pong']]);
    }
  });

  it('arrive whole byte by byte', () => {
    const { stream, messages } = wire();
    for (const byte of bytesOf([7, 'answer', '東'], ['pong'])) stream.emit('data', Buffer.of(byte));
    expect(messages).toEqual([[7, 'answer', '東'], ['pong']]);
  });

  it.each([
    [1_024, 'is read', [expect.any(Array)], 0],
    [1_025, 'closes the socket', [], 1],
  ])('of %i bytes, where 1,024 are allowed: it %s', (size, _what, expected, failures) => {
    const { stream, messages, errors } = wire();
    stream.emit('data', bytesOf(['x'.repeat(size - 4)]));
    expect(messages).toEqual(expected);
    return turn().then(() => expect(errors).toHaveLength(failures));
  });

  it('that are too long close the socket before any of them is kept', async () => {
    const { stream, errors } = wire();
    stream.emit('data', Buffer.of(0x7f, 0xff, 0xff, 0xff));
    expect(stream.destroyed).toBe(true);
    await turn();
    expect(errors.map(String)).toEqual(['ProtocolError: a frame of 2147483647 bytes']);
  });

  it.each([
    ['no bytes', Buffer.alloc(4)],
    ['something else than JSON', Buffer.concat([Buffer.of(0, 0, 0, 3), Buffer.from('{{{')])],
  ])('of %s close the socket', (_what, bytes) => {
    const { stream, messages } = wire();
    stream.emit('data', bytes);
    expect(stream.destroyed).toBe(true);
    expect(messages).toEqual([]);
  });

  it('are not read any more once the socket is closed', () => {
    const { stream, frames, messages } = wire();
    frames.on('message', () => stream.destroy());
    stream.emit('data', bytesOf(['first'], ['second']));
    expect(messages).toEqual([['first']]);
  });
});

describe('frames sent', () => {
  it('leave together when they come in one turn', async () => {
    const { frames, blocks } = wire();
    frames.send(small('a'));
    frames.send(small('b'));
    await turn();
    expect(blocks).toEqual([bytesOf(['a'], ['b'])]);
  });

  it('wait for the write before them, and can be taken back until their own', async () => {
    const { frames, blocks, letThrough } = wire();
    const [first, second] = [small('a'), small('b')];
    frames.send(first);
    await turn();
    frames.send(second);
    await turn();
    expect(frames.takeUnsent()).toEqual([second]);
    letThrough();
    await turn();
    expect(blocks).toEqual([bytesOf(['a'])]);
    expect([first.handedOver, second.handedOver]).toEqual([true, undefined]);
    expect(frames.queuedBytes).toBe(0);
  });

  it('are left out when nobody waits for them any more', async () => {
    const { frames, blocks } = wire();
    frames.send({ ...small('late'), dropped: true });
    frames.send(small('b'));
    await turn();
    expect(blocks).toEqual([bytesOf(['b'])]);
    expect(frames.queuedBytes).toBe(0);
  });

  it('stop the reading of further messages while too much of them is queued', async () => {
    const { stream, frames, letThrough } = wire();
    frames.readsBelowBytes = 10;
    frames.send(small('x'.repeat(20)));
    expect(stream.isPaused()).toBe(true);
    await turn();
    letThrough();
    await turn();
    expect(stream.isPaused()).toBe(false);
  });

  it('close the socket of somebody who never reads', () => {
    const { stream, frames } = wire();
    frames.readsBelowBytes = 10;
    for (let count = 0; count < 8; count += 1) frames.send(small('x'.repeat(20)));
    expect(stream.destroyed).toBe(true);
  });

  it.each([
    [1_024, 'fits'],
    [1_025, 'is refused before anything is sent'],
  ])('of %i bytes, counted as UTF-8: it %s', (size) => {
    const message = ['ü'.repeat(Math.floor((size - 4) / 2)) + (size % 2 ? 'x' : '')];
    const frame = () => frameOf(message, 1_024, 'the request of a.b');
    if (size <= 1_024) expect(frame().bytes).toBe(size);
    else {
      expect(frame).toThrow(new RangeError('the request of a.b has 1025 bytes, 1024 fit into a frame'));
    }
  });
});
