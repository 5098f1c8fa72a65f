import { isProof, newNonce, proofOf } from './handshake';

const secret = Buffer.alloc(32, 7);
const nonces = { client: 'client-challenge', server: 'server-challenge' };
const proof = proofOf(secret, 'client', nonces);

describe('a proof of the secret', () => {
  it('is the same for whoever knows the secret and both challenges', () => {
    expect(isProof(proofOf(Buffer.alloc(32, 7), 'client', { ...nonces }), proof)).toBe(true);
  });

  it.each<[string, string]>([
    ['another secret', proofOf(Buffer.alloc(32, 8), 'client', nonces)],
    ['the other role', proofOf(secret, 'server', nonces)],
    ['another challenge of the client', proofOf(secret, 'client', { ...nonces, client: 'other' })],
    ['another challenge of the server', proofOf(secret, 'client', { ...nonces, server: 'other' })],
    ['exchanged challenges', proofOf(secret, 'client', { client: nonces.server, server: nonces.client })],
    ['other ports', proofOf(secret, 'client', nonces, ['campaigns'])],
    ['a part of it', proof.slice(0, -1)],
    ['nothing', ''],
  ])('is another one with %s', (_what, given) => {
    expect(isProof(given, proof)).toBe(false);
  });

  it.each([[undefined], [null], [1], [{}], [[proof]]])('is a text, not %p', (given) => {
    expect(isProof(given, proof)).toBe(false);
  });

  it('does not contain the secret', () => {
    const text = Buffer.from('a secret of 32 letters or bytes!');
    expect(Buffer.from(proofOf(text, 'client', nonces), 'base64url').includes(text)).toBe(false);
    expect(Buffer.from(proofOf(text, 'client', nonces), 'base64url')).toHaveLength(32);
  });

  it('answers challenges that never repeat', () => {
    expect(new Set(Array.from({ length: 100 }, newNonce)).size).toBe(100);
    expect(Buffer.from(newNonce(), 'base64url')).toHaveLength(32);
  });
});
