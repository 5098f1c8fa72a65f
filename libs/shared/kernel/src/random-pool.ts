import { randomFillSync } from 'node:crypto';

const poolBytes = 8_192;
const pool = Buffer.allocUnsafe(poolBytes);
let used = poolBytes;

/** `count` random bytes, at most 8,192. They are good until the next call, which may overwrite them: asking the system
 *  for few bytes at a time costs as much as encrypting a short text. Keys are made by `randomBytes`, never from here. */
export const pooledRandom = (count: number): Buffer => {
  if (used + count > poolBytes) {
    randomFillSync(pool);
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
};
