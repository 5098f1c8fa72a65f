import { keyObjectOf } from '@scrip/kernel';
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns a new secret of 256 random bits, as text. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Returns the stored form of an access token: SHA-256, unkeyed because tokens are random. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

const nobody = Buffer.alloc(32);

/** Hashes of application and management secrets. They are keyed, because a secret set by hand may be guessable. */
export class SecretHashes {
  /** `key`: 32 bytes. */
  constructor(private readonly key: Buffer) {}

  hash(keyId: string, secret: string): Buffer {
    return createHmac('sha256', keyObjectOf(this.key))
      .update(JSON.stringify([keyId, secret]))
      .digest();
  }

  /** Returns whether `secret` is the stored one. With `stored` null it takes the same time and returns false. */
  matches(keyId: string, secret: string, stored: Buffer | null): boolean {
    const equal = timingSafeEqual(
      this.hash(keyId, secret),
      stored?.length === nobody.length ? stored : nobody,
    );
    return equal && stored !== null;
  }
}
