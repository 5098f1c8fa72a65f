import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** A request as it goes to a service. */
export interface UpstreamRequest {
  method: string;
  /** Path and query. */
  url: string;
  /** Whether it may reach a service twice, where its connection breaks. */
  mayRepeat: boolean;
  headers: Record<string, string | string[]>;
  /** A function makes a stream of a body that is still arriving; its bytes can be sent once. */
  body: Buffer | null | (() => Readable);
  /** Epoch ms until which the caller was promised an answer. */
  deadlineAt: number;
  /** Of the caller; null on open routes. */
  project: string | null;
  /** Takes room for an answer before it is read. Throws where there is none. */
  takeRoom: (status: number, bytes: number) => void;
}

/** A service's answer. JSON is read to its end; everything else is a stream, which its reader must end or destroy. */
export interface UpstreamAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer | Readable;
}
