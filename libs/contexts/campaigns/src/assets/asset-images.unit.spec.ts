import { toBuffer } from 'bwip-js/node';
import { inflateSync } from 'node:zlib';
import { drawCode } from './asset-images';

/** Width and height of a PNG, from its header. */
const sizeOf = (png: Buffer): [number, number] => [png.readUInt32BE(16), png.readUInt32BE(20)];

/** The rows of a PNG, a sign for each pixel, whether it has a bit or four bytes for each. */
const pixelsOf = (png: Buffer): string[] => {
  const [width, height] = sizeOf(png);
  const [bits, data]: [number, Buffer[]] = [png[24] === 1 ? 1 : 32, []];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(data));
  const rowBytes = Math.ceil((width * bits) / 8);
  let above = Buffer.alloc(rowBytes);
  return Array.from({ length: height }, (_, index) => {
    const from = index * (rowBytes + 1);
    const row = Buffer.from(raw.subarray(from + 1, from + 1 + rowBytes));
    if (raw[from] === 2) row.forEach((value, at) => (row[at] = (value + above[at]!) & 0xff));
    else expect(raw[from]).toBe(0);
    above = row;
    return Array.from({ length: width }, (__, at) =>
      (bits === 1 ? (row[at >> 3]! & (0x80 >> (at & 7))) === 0 : row[at * 4]! < 128) ? '#' : '.',
    ).join('');
  });
};

describe('the image of a code', () => {
  it.each([
    ['qr', 'qrcode', 'A', 1],
    ['qr', 'qrcode', 'SPRING-2026', 3],
    ['barcode', 'code128', 'SPRING-2026', 1],
    ['barcode', 'code128', 'ŻÓŁĆ-1', 2],
  ] as const)('has the pixels that its maker draws itself: %s %s %s', async (kind, bcid, code, scale) => {
    const drawn = pixelsOf((await drawCode(kind, code, { size: 10 * scale, format: 'png' }))!.body);
    const made = await toBuffer({
      ...{ bcid, text: Buffer.from(code).toString('latin1'), binarytext: true, scale },
      ...{ paddingwidth: 2, paddingheight: 2, backgroundcolor: 'FFFFFF' },
    });
    // It draws bar codes one row higher than they are.
    expect(drawn).toEqual(pixelsOf(made).filter((_, row) => kind === 'qr' || row !== 10));
  });

  it.each(['A', 'SPRING-2026', 'x'.repeat(100), 'x'.repeat(512), 'x'.repeat(1_024)])(
    'is a QR code of at most 660 pixels with its margin, also at the largest size (%#)',
    async (code) => {
      const drawn = await drawCode('qr', code, { size: 100, format: 'png' });
      const [width, height] = sizeOf(drawn!.body);
      expect(width).toBe(height);
      expect(width).toBeLessThanOrEqual(660);
      expect(width).toBeGreaterThan(200);
    },
    30_000,
  );

  it('is as large as it was asked for where the code is short', async () => {
    const [small, large] = await Promise.all(
      [10, 100].map(
        async (size) => sizeOf((await drawCode('qr', 'SPRING', { size, format: 'png' }))!.body)[0],
      ),
    );
    expect(large).toBe(10 * small!);
  });
});
