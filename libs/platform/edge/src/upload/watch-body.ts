import type { Readable } from 'node:stream';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';

/** What a body that is read as a stream is held to. `deadlineAt`: epoch ms. */
export interface BodyBounds {
  limitBytes: number;
  deadlineAt: number;
}

/** Calls `fail` once where a body is too large, is not there at the deadline, or breaks off. */
export const watchBody = (
  payload: Readable,
  { limitBytes, deadlineAt }: BodyBounds,
  fail: (failure: EdgeFailure) => void,
): { stop: () => void } => {
  let bytes = 0;
  const failWith = (failure: EdgeFailure): void => {
    stop();
    fail(failure);
  };
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > limitBytes) failWith(new EdgeFailure(failures.tooLarge(limitBytes)));
  };
  const broken = (): void =>
    failWith(new EdgeFailure(failures.invalidPayload('Payload breaks off before its end')));
  const timer = setTimeout(
    () => failWith(new EdgeFailure(failures.requestTimeout())),
    deadlineAt - Date.now(),
  ).unref();
  const stop = (): void => {
    clearTimeout(timer);
    payload.off('data', count).off('error', broken).off('close', broken);
    // A connection that ends while what is left is discarded is no error any more.
    payload.on('error', () => undefined);
  };
  payload.on('data', count).once('error', broken).once('close', broken).once('end', stop);
  // The caller may have left before its body was looked at: no event tells of that any more.
  if (payload.destroyed && !payload.readableEnded) process.nextTick(broken);
  return { stop };
};
