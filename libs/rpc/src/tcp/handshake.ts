import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Names the protocol in every proof, so that another version's proofs mean nothing here. */
export const protocol = 'scrip-rpc/1';

/** A challenge: 32 random bytes. */
export const newNonce = (): string => randomBytes(32).toString('base64url');

/** What only somebody with the secret can say about these two challenges, and only in its own role: a client's proof
 *  sent back proves nothing about a server. `serves`: the ports a server says it answers. */
export const proofOf = (
  secret: Buffer,
  role: 'client' | 'server',
  nonces: { client: string; server: string },
  serves: readonly string[] = [],
): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([protocol, role, nonces.server, nonces.client, serves]))
    .digest('base64url');

/** Whether `given` is the expected proof, in a time that tells nothing about it. */
export const isProof = (given: unknown, expected: string): boolean => {
  if (typeof given !== 'string') return false;
  const bytes = Buffer.from(given);
  const expectedBytes = Buffer.from(expected);
  return bytes.length === expectedBytes.length && timingSafeEqual(bytes, expectedBytes);
};
