import { Inject, Injectable } from '@nestjs/common';
import { newKey, open, seal, unwrapKey, wrapKey } from '@scrip/kernel';
import { SCRIP_CONFIG, type ScripConfig, purposeKey } from '@scrip/service';
import { createHmac } from 'node:crypto';
import type { CustomerProfile } from './customer-profile';

/** Whose data it is; also what seals and keys are bound to, so that none opens under another customer's name. */
export interface CustomerAddress {
  projectId: string;
  customerId: string;
}

const contextOf = ({ projectId, customerId }: CustomerAddress): string => `${projectId}|${customerId}`;

/** Seals personal data with a key of each customer's own; the keys are wrapped by the master key. Source: spec 06 §9.3,
 *  architecture §4. */
@Injectable()
export class CustomerVault {
  private readonly wrappingKey: Buffer;
  private readonly sourceIdKey: Buffer;

  constructor(@Inject(SCRIP_CONFIG) config: Pick<ScripConfig, 'masterKey'>) {
    this.wrappingKey = purposeKey(config, 'customer-keys');
    this.sourceIdKey = purposeKey(config, 'customer-source-ids');
  }

  /** A fresh key for one customer, and the form in which it is stored. */
  newKey(address: CustomerAddress): { key: Buffer; wrapped: string } {
    const key = newKey();
    return { key, wrapped: wrapKey(key, this.wrappingKey, contextOf(address)) };
  }

  /** Throws `SealBroken` for another customer's key or another master key. */
  unwrap(wrapped: string, address: CustomerAddress): Buffer {
    return unwrapKey(wrapped, this.wrappingKey, contextOf(address));
  }

  seal(profile: CustomerProfile, key: Buffer, address: CustomerAddress): string {
    return seal(JSON.stringify(profile), key, contextOf(address));
  }

  /** Throws `SealBroken` unless sealed with this key for this customer. */
  open(sealed: string, key: Buffer, address: CustomerAddress): CustomerProfile {
    return JSON.parse(open(sealed, key, contextOf(address))) as CustomerProfile;
  }

  /** What a source id is found by: a keyed hash, other in each project, that tells nothing without the master key. */
  sourceHash(projectId: string, sourceId: string): string {
    return createHmac('sha256', this.sourceIdKey)
      .update(JSON.stringify([projectId, sourceId]))
      .digest('base64url');
  }
}
