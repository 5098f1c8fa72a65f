import { MemoryWatch, residentMb } from './memory';

describe('memory of processes', () => {
  it('is read while they run', () => {
    expect(residentMb(process.pid)).toBeGreaterThan(20);
    expect(residentMb(2 ** 30)).toBe(0);
  });

  it('is told as the most that was seen', async () => {
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const watch = new MemoryWatch(() => {
      isAsked();
      return [process.pid, 2 ** 30];
    });
    // It looks at all of them before anything else runs.
    await asked;
    expect(watch.end()).toBeGreaterThan(20);
  });
});
