import { newKey } from '@scrip/kernel';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { sealFile, unsealFile } from './sealed-file';

const key = newKey();

const sealed = (...pieces: Buffer[]): Promise<Buffer> => buffer(Readable.from(pieces).pipe(sealFile(key)));

/** Through pieces of this size, as a network would cut them. */
const opened = (bytes: Buffer, by: Buffer = key, size = 1_000): Promise<Buffer> => {
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
  return buffer(Readable.from(pieces).pipe(unsealFile(by)));
};

const bytesOf = (length: number): Buffer => Buffer.alloc(length, 'scrip,');

describe('a sealed file', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])('of %d bytes opens as it was', async (length) => {
    const plain = bytesOf(length);
    const file = await sealed(plain.subarray(0, 10), plain.subarray(10));
    expect((await opened(file)).equals(plain)).toBe(true);
    expect((await opened(file, key, 70_000)).equals(plain)).toBe(true);
  });

  it('says nothing of what it holds', async () => {
    expect((await sealed(bytesOf(1_000))).includes('scrip')).toBe(false);
  });

  it.each([0, 10, 65_552, 131_104])('cut after %d bytes does not open', async (length) => {
    const file = await sealed(bytesOf(200_000));
    await expect(opened(file.subarray(0, length))).rejects.toThrow(/cut, altered|ends within a block/);
  });

  it('whose blocks changed places does not open', async () => {
    const file = await sealed(bytesOf(200_000));
    const swapped = Buffer.concat([
      file.subarray(65_552, 131_104),
      file.subarray(0, 65_552),
      file.subarray(131_104),
    ]);
    await expect(opened(swapped)).rejects.toThrow('cut, altered');
  });

  it('does not open with another key', async () => {
    await expect(opened(await sealed(bytesOf(10)), newKey())).rejects.toThrow('sealed with another key');
  });
});
