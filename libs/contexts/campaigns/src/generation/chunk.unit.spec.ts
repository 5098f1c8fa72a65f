import { chunkOf } from './chunk';

const vouchers = (count: number, codeLength: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: `v_${String(n).padStart(32, '0')}`,
    code: 'x'.repeat(codeLength),
  }));

test.each([
  [4_999, 8, 4_999],
  [5_000, 8, 5_000],
  [5_001, 8, 5_000],
  [1, 1_000_000, 1],
])('of %d codes of %d characters one event takes %d', (count, codeLength, expected) => {
  expect(chunkOf(vouchers(count, codeLength))).toHaveLength(expected);
});

test('long codes fill an event by their bytes, not beyond 512 KiB', () => {
  const chunk = chunkOf(vouchers(5_000, 512));
  expect(chunk.length).toBeLessThan(1_000);
  expect(Buffer.byteLength(JSON.stringify(chunk))).toBeLessThanOrEqual(512 * 1_024);
  expect(Buffer.byteLength(JSON.stringify(chunk))).toBeGreaterThan(510 * 1_024);
});
