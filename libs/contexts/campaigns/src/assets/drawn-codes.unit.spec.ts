import type { AssetImage } from './asset-images';
import { DrawnCodes } from './drawn-codes';

const png = { size: 30, format: 'png' } as const;
const tookMs = 100;

describe('images of codes', () => {
  let drawn: string[] = [];
  let [atOnce, mostAtOnce] = [0, 0];

  const draw = async (kind: string, code: string, { format }: { format: string }): Promise<AssetImage> => {
    drawn.push(`${kind} ${code} ${format}`);
    mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
    await new Promise((resolve) => setTimeout(resolve, tookMs));
    atOnce -= 1;
    return { contentType: 'image/png', body: Buffer.alloc(1_000) };
  };

  beforeEach(() => {
    jest.useFakeTimers();
    [drawn, atOnce, mostAtOnce] = [[], 0, 0];
  });
  afterEach(() => jest.useRealTimers());

  const drawnBy = async <T>(images: readonly Promise<T>[]): Promise<PromiseSettledResult<T>[]> => {
    const all = Promise.allSettled(images);
    await jest.advanceTimersByTimeAsync(60_000);
    return all;
  };

  it('are drawn once for all sizes that look alike, also where they are asked for at one time', async () => {
    const codes = new DrawnCodes(draw);
    const sizes = [21, 25, 30].map((size) => codes.image('qr', 'A', { size, format: 'png' }));
    await drawnBy(sizes);
    await drawnBy([codes.image('qr', 'A', png), codes.image('qr', 'A', { size: 30, format: 'svg' })]);
    await drawnBy([codes.image('barcode', 'A', png), codes.image('qr', 'B', png)]);
    expect(drawn).toEqual(['qr A png', 'qr A svg', 'barcode A png', 'qr B png']);
  });

  it('are kept as long as they fit', async () => {
    const codes = new DrawnCodes(draw, 4_000);
    for (const code of ['A', 'B', 'A', 'C', 'A', 'B']) await drawnBy([codes.image('qr', code, png)]);
    expect(drawn).toEqual(['qr A png', 'qr B png', 'qr C png', 'qr B png']);
  });

  it('are drawn one at a time, with three times the pause between them', async () => {
    const codes = new DrawnCodes(draw);
    const images = ['A', 'B', 'C'].map((code) => codes.image('qr', code, png));
    await jest.advanceTimersByTimeAsync(4 * tookMs - 1);
    expect(drawn).toEqual(['qr A png']);
    await jest.advanceTimersByTimeAsync(1);
    expect(drawn).toEqual(['qr A png', 'qr B png']);
    await drawnBy(images);
    expect([drawn.length, mostAtOnce]).toEqual([3, 1]);
  });

  it('are refused where 100 wait, or 4 of one code', async () => {
    const codes = new DrawnCodes(draw);
    const of = (count: number, codeOf: (n: number) => string) =>
      Array.from({ length: count }, (_, n) =>
        codes.image(n % 2 ? 'qr' : 'barcode', codeOf(n), { size: 10 * (n + 1), format: 'png' }),
      );
    const refusals = (results: PromiseSettledResult<unknown>[]) =>
      results.map((result) => (result.status === 'rejected' ? (result.reason as Error).message : null));
    const sixOfOne = await drawnBy(of(6, () => 'A'));
    expect(refusals(sixOfOne)).toEqual([null, null, null, null, null, 'too many codes are being drawn']);
    const codesAtOnce = await drawnBy(of(102, (n) => `C-${n}`));
    expect(refusals(codesAtOnce)[101]).toBe('too many codes are being drawn');
    expect(refusals(codesAtOnce)[0]).toBeNull();
  });
});
