import type { FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { consumedType, mediaTypeOf } from '../media/media-types';
import { announcedBytes } from '../media/request-body';
import { edgeOf } from '../request/edge-request';
import { boundaryOf, fingerprintOfForm } from './boundary';
import { FormReader, missingFile, type OpenForm, type UnknownField } from './open-form';
import { type BodyBounds, watchBody } from './watch-body';

const sliceBytes = 65_536;

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

/** Bytes of a form that is read as it arrives: what its parser and its reader hold of it at most. */
export const streamedFormBytes = 262_144;

/** Whether the form of a request is held in memory as a whole: its Idempotency-Key stands for its content, which must be known
 *  before the command runs. Source: ADR 88. */
const isHeld = ({ headers }: FastifyRequest): boolean => headers['idempotency-key'] !== undefined;

/** Whether the body of a request is a form with a file. JSON in its place is read as a whole. */
export const isFormUpload = ({ headers }: FastifyRequest): boolean =>
  mediaTypeOf(headers['content-type'] ?? '').type === consumedType.upload;

/** Bytes that a request with a form holds. Source: ADR 88. */
export const bytesOfForm = (request: FastifyRequest, limitBytes: number): number => {
  const bytes = announcedBytes(request) ?? limitBytes;
  return isHeld(request) ? bytes : Math.min(bytes, streamedFormBytes);
};

/** The body of a request that is a form with a file (multipart/form-data): a stream, which is read once. */
export class FormUpload {
  private held: Buffer | null = null;
  private reader: FormReader | null = null;
  private known: readonly string[] = [];
  private onUnknown: (field: UnknownField) => void = () => undefined;

  constructor(
    private readonly request: FastifyRequest,
    private readonly payload: Readable,
  ) {}

  /** Says which fields the handler reads, and what is to be done with others; what that throws ends the form. */
  expect(known: readonly string[], onUnknown: (field: UnknownField) => void): void {
    this.known = known;
    this.onUnknown = onUnknown;
  }

  /** Reads the form into memory, so that `toJSON` can tell it from others. Throws `EdgeFailure`. */
  async hold(): Promise<void> {
    const parts: Buffer[] = [];
    await readWithin(this.payload, this.bounds, (bytes) => parts.push(bytes));
    this.held = Buffer.concat(parts);
  }

  /** What tells a form that is held from others. Clients make a new boundary for each request, so it does not count. */
  toJSON(): object {
    const boundary = boundaryOf(this.request.headers['content-type'] ?? '');
    return { form: fingerprintOfForm(this.held ?? Buffer.alloc(0), boundary) };
  }

  /** Reads the form up to its file. Throws `EdgeFailure`: 400 `invalid_payload`, 408 and 413. */
  open(): Promise<OpenForm> {
    const source = this.held ? Readable.from(slicesOf(this.held)) : this.payload;
    const { known, onUnknown, bounds } = this;
    const contentType = this.request.headers['content-type'] ?? '';
    this.reader = new FormReader(source, { contentType, known, onUnknown, ...bounds });
    return this.reader.open();
  }

  /** Ends the reading, also where the handler did not read it to its end. */
  close(): void {
    this.reader?.stop();
  }

  private get bounds(): BodyBounds {
    const { row, call } = edgeOf(this.request);
    return { limitBytes: row?.bodyLimitBytes ?? 0, deadlineAt: call.deadlineAt };
  }
}

/** Hands the bytes of a stream to `take` until it ends. Throws `EdgeFailure` where they are too many, too late or end too
 *  early; what is left of them is then discarded. */
const readWithin = (payload: Readable, bounds: BodyBounds, take: (bytes: Buffer) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const watch = watchBody(payload, bounds, (failure) => {
      payload.off('data', take).resume();
      reject(failure);
    });
    payload.on('data', take).once('end', () => {
      watch.stop();
      resolve();
    });
  });

/** Opens the body of a route that takes a form with a file. Throws `EdgeFailure` where it is none, or has no file.
 *  Source: reference 07 §11. */
export const openForm = async (body: unknown): Promise<OpenForm> => {
  if (!(body instanceof FormUpload)) throw missingFile();
  return body.open();
};
