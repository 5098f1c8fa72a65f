import {
  deriveKey,
  open,
  openDeterministic,
  seal,
  SealBroken,
  sealDeterministic,
  unwrapKey,
  wrapKey,
} from './encryption';

interface RingKey {
  /** Names the master key in sealed texts, and tells nothing about it. */
  id: string;
  key: Buffer;
}

const idLength = 8;
const withId = /^([0-9a-f]{8})\.(.*)$/s;

/** Returns the id of a 32-byte master key: 8 hex digits. */
export const masterKeyId = (masterKey: Buffer): string =>
  deriveKey(masterKey, 'key-id').toString('hex').slice(0, idLength);

/** The keys of one purpose, derived from the master key and from those accepted beside it. The first one seals; every one
 *  opens what it sealed. A sealed text begins with the id of its master key (`1f2e3d4c.e1.…`); texts
 *  that were sealed before there were ids are tried with each key. */
export class Keyring {
  private readonly current: RingKey;

  private constructor(private readonly keys: readonly [RingKey, ...RingKey[]]) {
    [this.current] = keys;
  }

  /** `masterKeys`: 32 bytes each, the one that seals first. */
  static of(masterKeys: readonly [Buffer, ...Buffer[]], purpose: string): Keyring {
    const ringKey = (masterKey: Buffer): RingKey => ({
      id: masterKeyId(masterKey),
      key: deriveKey(masterKey, purpose),
    });
    const [first, ...others] = masterKeys;
    return new Keyring([ringKey(first), ...others.map(ringKey)]);
  }

  /** As `seal`, with the current key. */
  seal(text: string, boundTo = ''): string {
    return `${this.current.id}.${seal(text, this.current.key, boundTo)}`;
  }

  /** Returns the text that `seal` of this or an accepted key encrypted. Throws `SealBroken`. */
  open(sealed: string, boundTo = ''): string {
    return this.opened(sealed, (inner, key) => open(inner, key, boundTo));
  }

  /** As `wrapKey`, with the current key. */
  wrap(key: Buffer, boundTo = ''): string {
    return `${this.current.id}.${wrapKey(key, this.current.key, boundTo)}`;
  }

  /** Returns the key that `wrap` of this or an accepted key encrypted. Throws `SealBroken`. */
  unwrap(wrapped: string, boundTo = ''): Buffer {
    return this.opened(wrapped, (inner, key) => unwrapKey(inner, key, boundTo));
  }

  /** As `sealDeterministic`, with the current key. Without its id: callers see these texts, and they are in no table. */
  sealDeterministic(text: string, boundTo = ''): string {
    return sealDeterministic(text, this.current.key, boundTo);
  }

  /** Returns the text that `sealDeterministic` of this or an accepted key encrypted. Throws `SealBroken`. */
  openDeterministic(sealed: string, boundTo = ''): string {
    return this.opened(sealed, (inner, key) => openDeterministic(inner, key, boundTo));
  }

  /** Returns a text of `seal` or `wrap` under the current key; the same text where it is under that key already. Throws
   *  `SealBroken`. */
  renewed(sealed: string, boundTo = ''): string {
    const [, id, inner = sealed] = withId.exec(sealed) ?? [];
    if (id === this.current.id) return sealed;
    return inner.startsWith('w1.')
      ? this.wrap(this.unwrap(sealed, boundTo), boundTo)
      : this.seal(this.open(sealed, boundTo), boundTo);
  }

  private opened<T>(sealed: string, work: (inner: string, key: Buffer) => T): T {
    const [, id, inner = sealed] = withId.exec(sealed) ?? [];
    let broken: SealBroken | undefined;
    for (const candidate of this.keys) {
      if (id !== undefined && id !== candidate.id) continue;
      try {
        return work(inner, candidate.key);
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        broken = error;
      }
    }
    throw broken ?? new SealBroken(`sealed with the master key ${id}, which is not accepted here`);
  }
}
