import { keyObjectOf, SealBroken } from '@scrip/kernel';
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Transform } from 'node:stream';

/** Bytes of a block before it is sealed. */
const blockBytes = 65_536;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/** A key seals one file, so the number of a block is an IV that never repeats. The last byte says that no block follows: a
 *  file that lacks its end does not open. */
const ivOf = (block: number, isLast: boolean): Buffer => {
  const iv = Buffer.alloc(12);
  iv.writeUIntBE(block, 5, 6);
  iv.writeUInt8(isLast ? 1 : 0, 11);
  return iv;
};

const sealBlock = (plain: Buffer, key: Buffer, iv: Buffer): Buffer => {
  const cipher = createCipheriv(algorithm, keyObjectOf(key), iv);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

const openBlock = (sealed: Buffer, key: Buffer, iv: Buffer): Buffer => {
  const end = sealed.length - tagBytes;
  if (end < 0) throw new SealBroken('a file ends within a block');
  const decipher = createDecipheriv(algorithm, keyObjectOf(key), iv, { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]);
  } catch (cause) {
    throw new SealBroken('a file was cut, altered, or sealed with another key', { cause });
  }
};

/** Passes on what it takes in blocks of `size` bytes; the last one is what remains, and always there. */
const inBlocks = (
  size: number,
  work: (block: Buffer, index: number, isLast: boolean) => Buffer,
): Transform => {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let index = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      held.push(chunk);
      heldBytes += chunk.length;
      // A block that ends here may be the last one: it waits for what follows.
      if (heldBytes <= size) return done();
      const all = Buffer.concat(held);
      let from = 0;
      try {
        for (; all.length - from > size; from += size)
          this.push(work(all.subarray(from, from + size), index++, false));
      } catch (error) {
        return done(error as Error);
      }
      held = [all.subarray(from)];
      heldBytes = all.length - from;
      done();
    },
    flush(done) {
      try {
        this.push(work(Buffer.concat(held), index, true));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
};

/** Seals the bytes of one file with AES-256-GCM, block after block. `key`: 32 bytes, never used for another file. */
export const sealFile = (key: Buffer): Transform =>
  inBlocks(blockBytes, (block, index, isLast) => sealBlock(block, key, ivOf(index, isLast)));

/** Opens what `sealFile` sealed. A block is passed on only after it proved to be whole. Fails with `SealBroken` where the
 *  file was altered, cut, or sealed with another key. */
export const unsealFile = (key: Buffer): Transform =>
  inBlocks(blockBytes + tagBytes, (block, index, isLast) => openBlock(block, key, ivOf(index, isLast)));
