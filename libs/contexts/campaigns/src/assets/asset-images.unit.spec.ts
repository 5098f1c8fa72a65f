import { drawCode } from './asset-images';

/** Width and height of a PNG, from its header. */
const sizeOf = (png: Buffer): [number, number] => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe('the image of a code', () => {
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
