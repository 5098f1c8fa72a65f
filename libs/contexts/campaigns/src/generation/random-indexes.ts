import { randomBytes } from 'node:crypto';

/** `count` bytes that cannot be foreseen. */
export type RandomBytes = (count: number) => Buffer;

/** Integers from 0 to `bound` - 1, each equally likely. */
export type RandomIndex = (bound: number) => number;

const poolSize = 16_384;

/** A source of unbiased indexes for bounds up to 2^48. Bytes come from the operating system's generator, in
 *  blocks. */
export const randomIndexes = (bytes: RandomBytes = randomBytes): RandomIndex => {
  let pool: Buffer = Buffer.alloc(0);
  let used = 0;
  const draw = (count: number): number => {
    if (used + count > pool.length) {
      pool = bytes(poolSize);
      used = 0;
    }
    const drawn = pool.readUIntBE(used, count);
    used += count;
    return drawn;
  };
  return (bound) => {
    if (bound < 1 || bound > 2 ** 48) throw new RangeError(`no index below ${bound}`);
    if (bound === 1) return 0;
    let width = 1;
    while (256 ** width < bound) width += 1;
    // Draws above the last whole multiple of the bound would prefer small indexes: they are thrown away.
    const limit = 256 ** width - (256 ** width % bound);
    for (;;) {
      const drawn = draw(width);
      if (drawn < limit) return drawn % bound;
    }
  };
};
