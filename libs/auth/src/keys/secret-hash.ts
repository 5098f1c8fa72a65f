import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret of 256 random bits, as text. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** What is stored of an access token, which is random: SHA-256. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

const nobody = Buffer.alloc(32);

/** Hashes of application and management secrets. They are keyed, since a secret set by hand may be guessable. */
export class SecretHashes {
  /** `key`: 32 bytes. */
  constructor(private readonly key: Buffer) {}

  hash(keyId: string, secret: string): Buffer {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([keyId, secret]))
      .digest();
  }

  /** Whether `secret` is the stored one. Takes as long when there is none (`stored` null), and then is false. */
  matches(keyId: string, secret: string, stored: Buffer | null): boolean {
    const equal = timingSafeEqual(
      this.hash(keyId, secret),
      stored?.length === nobody.length ? stored : nobody,
    );
    return equal && stored !== null;
  }
}
