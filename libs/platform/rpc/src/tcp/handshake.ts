import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The protocol's name in every proof, so that proofs of another version are invalid here. */
export const protocol = 'scrip-rpc/1';

/** A challenge: 32 random bytes. */
export const newNonce = (): string => randomBytes(32).toString('base64url');

/** Returns the proof that a side knows the secret: an HMAC over both challenges and the side's role, so that a
 *  client's proof sent back is no proof of a server. `serves`: the ports that a server serves. */
export const proofOf = (
  secret: Buffer,
  role: 'client' | 'server',
  nonces: { client: string; server: string },
  serves: readonly string[] = [],
): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([protocol, role, nonces.server, nonces.client, serves]))
    .digest('base64url');

/** Returns whether `given` is the expected proof, in constant time. */
export const isProof = (given: unknown, expected: string): boolean => {
  if (typeof given !== 'string') return false;
  const bytes = Buffer.from(given);
  const expectedBytes = Buffer.from(expected);
  return bytes.length === expectedBytes.length && timingSafeEqual(bytes, expectedBytes);
};
