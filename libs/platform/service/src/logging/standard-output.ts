import type { DestinationStream } from 'pino';
import { SonicBoom } from 'sonic-boom';
import { readableLines } from './readable-lines';

// Lines are buffered, and written at the latest after this time.
const flushMs = 200;
const bufferedBytes = 4_096;
/** Bytes that a slow reader may leave unread; further lines are dropped. */
const unreadBytesMax = 16 * 1024 * 1024;
/** How often a full pipe is tried again when the process ends, 100 ms apart. */
const triesAtEnd = 10;

/** Standard output as a pipe or file. Without a reader lines are dropped, and the process continues or ends as
 *  usual. */
const bufferedOutput = (): DestinationStream & Pick<SonicBoom, 'flush'> => {
  let tries = Number.POSITIVE_INFINITY;
  let hasReader = true;
  const output = new SonicBoom({
    fd: 1,
    minLength: bufferedBytes,
    maxLength: unreadBytesMax,
    periodicFlush: flushMs,
    retryEAGAIN: () => (tries -= 1) > 0,
  });
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') hasReader = false;
  });
  process.once('exit', () => {
    if (!hasReader) return;
    tries = triesAtEnd;
    try {
      output.flushSync();
    } catch {
      // The reader of the log is gone; there is nowhere to report it.
    }
  });
  return {
    write: (line) => void (hasReader && output.write(line)),
    flush: (done) => output.flush(done),
  };
};

/** Where log lines go: text for people on a terminal, otherwise the lines as they are. */
export const standardOutput = (): DestinationStream =>
  process.stdout.isTTY ? readableLines(process.stdout) : bufferedOutput();
