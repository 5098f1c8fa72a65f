import { type Keyring, keyObjectOf, newKey, open, openOnce, seal, sealOnce } from '@scrip/kernel';
import { type MasterKeys, purposeRing, type SealedColumn } from '@scrip/service';
import { LRUCache } from 'lru-cache';
import { createHmac } from 'node:crypto';
import type { CustomerProfile } from './customer-profile';

/** Whose data it is; also what seals and keys are bound to, so that none opens under another customer's name. */
export interface CustomerAddress {
  projectId: string;
  customerId: string;
}

const remembered = 1_000;
const rememberedMs = 60_000;
/** Of all opened texts together, in characters. */
const rememberedSize = 4_000_000;

const boundTo = ({ projectId, customerId }: CustomerAddress): string => `${projectId}|${customerId}`;

const wrapping = 'customer-keys';

/** Where customers' keys are stored. */
export const customerKeysColumn: SealedColumn = {
  table: 'customer_keys',
  id: ['project_id', 'customer_id'],
  column: 'wrapped_key',
  purpose: wrapping,
  boundTo: (projectId = '', customerId = '') => boundTo({ projectId, customerId }),
};

/** The purpose of the key that source ids are hashed with. */
export const sourceIdsPurpose = 'customer-source-ids';

/** Seals personal data with a key of each customer's own; the keys are wrapped by the master key. What was opened is
 *  remembered for a minute, by the wrapped key and the sealed text: a caller must have read both, so that what was
 *  erased stays unreadable. Source: reference 06 §9.3, architecture §4. */
export class CustomerVault {
  private readonly wrapping: Keyring;
  private readonly keys = new LRUCache<string, Buffer>({ max: remembered, ttl: rememberedMs });
  private readonly texts = new LRUCache<string, { key: Buffer; text: string }>({
    maxSize: rememberedSize,
    sizeCalculation: ({ text }, name) => text.length + name.length,
    ttl: rememberedMs,
  });

  /** Hashes of cities: many customers live in few. */
  private readonly cities = new LRUCache<string, string>({ max: remembered, ttl: rememberedMs });

  /** `sourceIdKey`: 32 bytes. */
  constructor(
    keys: MasterKeys,
    private readonly sourceIdKey: Buffer,
  ) {
    this.wrapping = purposeRing(keys, wrapping);
  }

  /** A fresh key for one customer, and the form in which it is stored. */
  newKey(address: CustomerAddress): { key: Buffer; wrapped: string } {
    const key = newKey();
    return { key, wrapped: this.wrapping.wrap(key, boundTo(address)) };
  }

  /** Throws `SealBroken` for another customer's key or another master key. */
  unwrap(wrapped: string, address: CustomerAddress): Buffer {
    const name = `${boundTo(address)}|${wrapped}`;
    const known = this.keys.get(name);
    if (known) return known;
    const key = this.wrapping.unwrap(wrapped, boundTo(address));
    this.keys.set(name, key);
    return key;
  }

  seal(profile: CustomerProfile, key: Buffer, address: CustomerAddress): string {
    return seal(JSON.stringify(profile), key, boundTo(address));
  }

  /** As `seal`, of the JSON of a profile and with the key of a customer who is new: mostly nothing asks for it again. */
  sealOnce(text: string, key: Buffer, address: CustomerAddress): string {
    return sealOnce(text, key, boundTo(address));
  }

  /** Throws `SealBroken` unless sealed with this key for this customer. */
  open(sealed: string, key: Buffer, address: CustomerAddress): CustomerProfile {
    const name = `${boundTo(address)}|${sealed}`;
    const known = this.texts.get(name);
    if (known?.key.equals(key)) return JSON.parse(known.text) as CustomerProfile;
    const text = open(sealed, key, boundTo(address));
    this.texts.set(name, { key, text });
    return JSON.parse(text) as CustomerProfile;
  }

  /** As `unwrap` and `open`, but remembers nothing: of customers who are read by the thousand, each once, nothing is asked for
   *  again, and what is would be forgotten for them. Throws `SealBroken`. */
  openOnce(
    { wrapped_key, sealed }: { wrapped_key: string; sealed: string },
    address: CustomerAddress,
  ): CustomerProfile {
    const name = boundTo(address);
    return JSON.parse(openOnce(sealed, this.wrapping.unwrap(wrapped_key, name), name)) as CustomerProfile;
  }

  /** What a customer consents to, by the ids of consents, sealed like its profile; neither opens as the other. */
  sealConsents(
    consents: readonly [id: string, given: boolean][],
    key: Buffer,
    address: CustomerAddress,
  ): string {
    return seal(JSON.stringify(consents), key, `${boundTo(address)}|consents`);
  }

  /** Throws `SealBroken` unless sealed with this key for this customer. */
  openConsents(sealed: string, key: Buffer, address: CustomerAddress): [id: string, given: boolean][] {
    return JSON.parse(open(sealed, key, `${boundTo(address)}|consents`)) as [string, boolean][];
  }

  /** What a list finds a value of a profile by: a keyed hash, other for each field and project. Source: ADR 72. */
  fieldHash(projectId: string, field: string, value: string): string {
    if (field !== 'city') return this.keyedHash([projectId, field, value]);
    const name = `${projectId}|${value}`;
    const known = this.cities.get(name);
    if (known !== undefined) return known;
    const hash = this.keyedHash([projectId, field, value]);
    this.cities.set(name, hash);
    return hash;
  }

  /** What a source id is found by: a keyed hash, other in each project, that tells nothing without the master key. */
  sourceHash(projectId: string, sourceId: string): string {
    return this.keyedHash([projectId, sourceId]);
  }

  /** What inputs of tasks know a customer by besides its id: half of the hash of its source id. Source: ADR 107. */
  taskKey(projectId: string, sourceId: string): string {
    return this.sourceHash(projectId, sourceId).slice(0, 22);
  }

  private keyedHash(parts: readonly string[]): string {
    return createHmac('sha256', keyObjectOf(this.sourceIdKey))
      .update(JSON.stringify(parts))
      .digest('base64url');
  }
}
