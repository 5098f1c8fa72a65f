import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { pooledRandom } from './random-pool';
import type { Secret } from './secret';

const keyLength = 32;
const ivLength = 12;
const tagLength = 16;

type Form = 'e1' | 'd1' | 'w1';

/** Thrown where a sealed text cannot be opened: altered, of another form, sealed with another key, or bound to another
 *  text. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Keys whose bytes are asked of the system together: each question costs as much as encrypting a short text. */
const keysAtOnce = 64;
let unused = Buffer.alloc(0);

/** Returns a new key of 32 random bytes, which nothing else has or gets. */
export const newKey = (): Buffer => {
  if (unused.length === 0) unused = randomBytes(keysAtOnce * keyLength);
  const key = unused.subarray(0, keyLength);
  unused = unused.subarray(keyLength);
  return key;
};

const assertKey = (key: Buffer): void => {
  if (key.length !== keyLength) throw new RangeError(`a key has ${keyLength} bytes, not ${key.length}`);
};

const keyObjects = new WeakMap<Buffer, KeyObject>();

/** The key as Node's own object, made once for each Buffer: a Buffer is checked and copied by every single operation. The
 *  Buffer must not be changed afterwards. */
export const keyObjectOf = (key: Buffer): KeyObject => {
  const known = keyObjects.get(key);
  if (known) return known;
  const made = createSecretKey(key);
  keyObjects.set(key, made);
  return made;
};

/** Derives the key for one purpose ("webhook-secrets") from the 32-byte master key, by HKDF-SHA256. A key reveals
 *  nothing about the keys of other purposes. */
export const deriveKey = (masterKey: Buffer, purpose: string): Buffer => {
  assertKey(masterKey);
  return Buffer.from(hkdfSync('sha256', masterKey, '', `scrip:${purpose}`, keyLength));
};

/** Derives the 32-byte key for one purpose ("rpc") from a secret text that processes share. */
export const sharedKey = (secret: Secret, purpose: string): Buffer =>
  deriveKey(createHash('sha256').update(secret.reveal()).digest(), purpose);

/** `key` is no Buffer: Node 24 tests for a KeyObject by catching two errors, which takes 40 µs, as long as encrypting three profiles. */
const encrypt = (form: Form, plain: Buffer, key: KeyObject, iv: Buffer, boundTo: string): string => {
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(`${form}.${boundTo}`));
  // This mode keeps nothing back for `final`, which makes the tag.
  const encrypted = cipher.update(plain);
  cipher.final();
  return `${form}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
};

const kept = (key: Buffer): KeyObject => {
  assertKey(key);
  return keyObjectOf(key);
};

const forOnce = (key: Buffer): KeyObject => {
  assertKey(key);
  return createSecretKey(key);
};

const decrypt = (form: Form, sealed: string, key: KeyObject, boundTo: string): Buffer => {
  const body = sealed.startsWith(`${form}.`) ? sealed.slice(form.length + 1) : '';
  const bytes = Buffer.from(body, 'base64url');
  // Several base64url texts decode to the same bytes; only the canonical one is accepted.
  if (bytes.length < ivLength + tagLength || bytes.toString('base64url') !== body) {
    throw new SealBroken('not a sealed text of this form');
  }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength), {
    authTagLength: tagLength,
  })
    .setAAD(Buffer.from(`${form}.${boundTo}`))
    .setAuthTag(bytes.subarray(ivLength, ivLength + tagLength));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()]);
  } catch (cause) {
    throw new SealBroken('sealed text was altered, sealed with another key, or bound to another text', {
      cause,
    });
  }
};

/** Encrypts `text` with AES-256-GCM under a 32-byte key: `e1.` and base64url. Each call returns another text.
 *  `boundTo`: the text that the seal is bound to, for example the row's id. It is not stored; opening needs the same. */
export const seal = (text: string, key: Buffer, boundTo = ''): string =>
  encrypt('e1', Buffer.from(text), kept(key), pooledRandom(ivLength), boundTo);

/** As `seal`, with a key that is used this once: nothing is kept for a second use of it. */
export const sealOnce = (text: string, key: Buffer, boundTo = ''): string =>
  encrypt('e1', Buffer.from(text), forOnce(key), pooledRandom(ivLength), boundTo);

/** Returns the text that `seal` encrypted. Throws `SealBroken`. */
export const open = (sealed: string, key: Buffer, boundTo = ''): string =>
  decrypt('e1', sealed, kept(key), boundTo).toString();

/** As `open`, with a key that is used this once: nothing is kept for a second use of it. */
export const openOnce = (sealed: string, key: Buffer, boundTo = ''): string =>
  decrypt('e1', sealed, forOnce(key), boundTo).toString();

interface DeterministicKeys {
  encryption: Buffer;
  iv: Buffer;
}

const derived = new WeakMap<Buffer, DeterministicKeys>();

// One key must not serve both as encryption key and as source of the IV.
const deterministicKeys = (key: Buffer): DeterministicKeys => {
  const known = derived.get(key);
  if (known) return known;
  const made = {
    encryption: deriveKey(key, 'deterministic-encryption'),
    iv: deriveKey(key, 'deterministic-iv'),
  };
  derived.set(key, made);
  return made;
};

const ivFor = (text: string, key: Buffer, boundTo: string): Buffer =>
  createHmac('sha256', keyObjectOf(key))
    .update(JSON.stringify([boundTo, text]))
    .digest()
    .subarray(0, ivLength);

/** As `seal`, but the same text, key and `boundTo` give the same result (`d1.`…), because the IV is a keyed hash of
 *  them. Used for ids that must be stable. It reveals which texts are equal, and nothing else. */
export const sealDeterministic = (text: string, key: Buffer, boundTo = ''): string => {
  const keys = deterministicKeys(key);
  return encrypt('d1', Buffer.from(text), kept(keys.encryption), ivFor(text, keys.iv, boundTo), boundTo);
};

/** Returns the text that `sealDeterministic` encrypted. Throws `SealBroken`. */
export const openDeterministic = (sealed: string, key: Buffer, boundTo = ''): string =>
  decrypt('d1', sealed, kept(deterministicKeys(key).encryption), boundTo).toString();

/** Encrypts a 32-byte key with another key, for storage: `w1.` and base64url. */
export const wrapKey = (key: Buffer, wrappingKey: Buffer, boundTo = ''): string => {
  assertKey(key);
  return encrypt('w1', key, kept(wrappingKey), pooledRandom(ivLength), boundTo);
};

/** Returns the key that `wrapKey` encrypted. Throws `SealBroken`. */
export const unwrapKey = (wrapped: string, wrappingKey: Buffer, boundTo = ''): Buffer =>
  decrypt('w1', wrapped, kept(wrappingKey), boundTo);
