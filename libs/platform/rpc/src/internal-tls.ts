import type { TlsOptions } from 'node:tls';

/** The name that every certificate of an installation carries: addresses change, and names of hosts differ by where a
 *  process is asked from. */
export const internalName = 'scrip.internal';

/** What a process proves itself with to the others of its installation, and checks them with; PEM. */
export interface InternalTls {
  cert: string;
  key: string;
  /** The authority that signs for this installation alone. */
  ca: string;
}

const minVersion = 'TLSv1.3';

/** Options of a server that takes only clients with a certificate of the authority. */
export const servingTls = ({ cert, key, ca }: InternalTls, handshakeTimeoutMs: number): TlsOptions => ({
  cert,
  key,
  ca,
  minVersion,
  requestCert: true,
  rejectUnauthorized: true,
  handshakeTimeout: handshakeTimeoutMs,
});

/** Options of a client that talks only to servers with a certificate of the authority. */
export const askingTls = ({ cert, key, ca }: InternalTls) =>
  ({ cert, key, ca, minVersion, servername: internalName, rejectUnauthorized: true }) as const;
