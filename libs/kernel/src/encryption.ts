import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from './secret';

const keyLength = 32;
const ivLength = 12;
const tagLength = 16;

type Form = 'e1' | 'd1' | 'w1';

/** Thrown where a sealed text cannot be opened: altered, of another form, or sealed with another key or context. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** A fresh key of 32 random bytes. */
export const newKey = (): Buffer => randomBytes(keyLength);

const assertKey = (key: Buffer): void => {
  if (key.length !== keyLength) throw new RangeError(`a key has ${keyLength} bytes, not ${key.length}`);
};

/** The key for one purpose ("webhook-secrets") from the 32-byte master key, by HKDF-SHA256. Keys of different
 *  purposes tell nothing about each other. */
export const deriveKey = (masterKey: Buffer, purpose: string): Buffer => {
  assertKey(masterKey);
  return Buffer.from(hkdfSync('sha256', masterKey, '', `scrip:${purpose}`, keyLength));
};

/** The key for one purpose ("rpc") from a secret text that processes share; 32 bytes. */
export const sharedKey = (secret: Secret, purpose: string): Buffer =>
  deriveKey(createHash('sha256').update(secret.reveal()).digest(), purpose);

const encrypt = (form: Form, plain: Buffer, key: Buffer, iv: Buffer, context: string): string => {
  assertKey(key);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(`${form}.${context}`));
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  return `${form}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
};

const decrypt = (form: Form, sealed: string, key: Buffer, context: string): Buffer => {
  assertKey(key);
  const body = sealed.startsWith(`${form}.`) ? sealed.slice(form.length + 1) : '';
  const bytes = Buffer.from(body, 'base64url');
  // Several texts decode to the same bytes; only one of them was ever given out.
  if (bytes.length < ivLength + tagLength || bytes.toString('base64url') !== body) {
    throw new SealBroken('not a sealed text of this form');
  }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength), {
    authTagLength: tagLength,
  })
    .setAAD(Buffer.from(`${form}.${context}`))
    .setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()]);
  } catch (cause) {
    throw new SealBroken('sealed text was altered, or sealed with another key or context', { cause });
  }
};

/** Encrypts `text` with AES-256-GCM under a 32-byte key: `e1.` and base64url. Another result each time. `context`
 *  (for example the row's id) is not stored, but must be the same to open. */
export const seal = (text: string, key: Buffer, context = ''): string =>
  encrypt('e1', Buffer.from(text), key, randomBytes(ivLength), context);

/** The text that `seal` took. Throws `SealBroken`. */
export const open = (sealed: string, key: Buffer, context = ''): string =>
  decrypt('e1', sealed, key, context).toString();

// One key must not serve both as encryption key and as source of the IV.
const deterministicKeys = (key: Buffer): { encryption: Buffer; iv: Buffer } => ({
  encryption: deriveKey(key, 'deterministic-encryption'),
  iv: deriveKey(key, 'deterministic-iv'),
});

const ivFor = (text: string, key: Buffer, context: string): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([context, text]))
    .digest()
    .subarray(0, ivLength);

/** As `seal`, but the same text, key and context give the same result (`d1.`…), since the IV is a keyed hash of them:
 *  for ids that must be stable. Shows which texts are equal, and nothing else. */
export const sealDeterministic = (text: string, key: Buffer, context = ''): string => {
  const keys = deterministicKeys(key);
  return encrypt('d1', Buffer.from(text), keys.encryption, ivFor(text, keys.iv, context), context);
};

/** The text that `sealDeterministic` took. Throws `SealBroken`. */
export const openDeterministic = (sealed: string, key: Buffer, context = ''): string =>
  decrypt('d1', sealed, deterministicKeys(key).encryption, context).toString();

/** Encrypts a key (32 bytes) under another one, to be stored: `w1.` and base64url. */
export const wrapKey = (key: Buffer, wrappingKey: Buffer, context = ''): string => {
  assertKey(key);
  return encrypt('w1', key, wrappingKey, randomBytes(ivLength), context);
};

/** The key that `wrapKey` took. Throws `SealBroken`. */
export const unwrapKey = (wrapped: string, wrappingKey: Buffer, context = ''): Buffer =>
  decrypt('w1', wrapped, wrappingKey, context);
