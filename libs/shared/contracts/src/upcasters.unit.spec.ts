import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { topics } from './registry';
import { eventUpcasters, upcastersOf } from './upcasters';

/** Every `*.upcasters.ts` of this library. */
const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.upcasters.ts'),
);

describe('the upcasters of events', () => {
  it.each(files)('include those of %s, so that consumers have them too', async (file) => {
    const module = (await import(join(__dirname, file))) as Record<string, object>;
    const listed = new Set<unknown>(Object.values(eventUpcasters));
    expect(Object.values(module).filter((value) => typeof value === 'object' && !listed.has(value))).toEqual(
      [],
    );
  });

  it('are found by topic', () => {
    expect(files.length).toBeGreaterThan(0);
    expect(upcastersOf(topics.redemption)).toBeDefined();
    expect(upcastersOf(topics.project)).toBeUndefined();
  });
});
