import { setTimeout as pause } from 'node:timers/promises';
import { MemoryWatch, residentMb } from './memory';

describe('memory of processes', () => {
  it('is read while they run', () => {
    expect(residentMb(process.pid)).toBeGreaterThan(20);
    expect(residentMb(2 ** 30)).toBe(0);
  });

  it('is told as the most that was seen', async () => {
    const watch = new MemoryWatch(() => [process.pid, 2 ** 30]);
    await pause(500);
    expect(watch.end()).toBeGreaterThan(20);
  });
});
