import type { Credentials } from '@scrip/contracts/auth';
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const rememberedMax = 10_000;
const rememberedMs = 3_600_000;

/** Remembers which credentials were right at which address lately, as digests that nothing outside of this process can
 *  compare. They say nothing about now: a key may be blocked since. */
export class RightCredentials {
  private readonly secret = createSecretKey(randomBytes(32));
  private readonly digests = new LRUCache<string, true>({ max: rememberedMax, ttl: rememberedMs });

  /** `address`: as `addressKey` spells it. */
  digestOf(address: string, credentials: Credentials): string {
    const whole = JSON.stringify({ ...credentials, ip: address });
    return createHmac('sha256', this.secret).update(whole).digest('base64');
  }

  wereRight(digest: string): boolean {
    return this.digests.has(digest);
  }

  remember(digest: string): void {
    this.digests.set(digest, true);
  }

  forget(digest: string): void {
    this.digests.delete(digest);
  }
}
