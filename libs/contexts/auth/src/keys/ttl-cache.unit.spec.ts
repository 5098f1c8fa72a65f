import { TtlCache } from './ttl-cache';

describe('a cache of look-ups', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('keeps nothing that was read before it was told to forget', async () => {
    // What is kept stays fresh meanwhile.
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const answers: ((value: ReadonlyMap<string, { of: number }>) => void)[] = [];
    const cache = new TtlCache<{ of: number }>(() => new Promise((resolve) => answers.push(resolve)));
    const asked = async (of: number): Promise<{ of: number } | null> => {
      const found = cache.find('key');
      await new Promise(setImmediate);
      answers.shift()!(new Map([['key', { of }]]));
      return found;
    };
    const before = cache.find('key');
    await new Promise(setImmediate);
    cache.forget();
    answers.shift()!(new Map([['key', { of: 1 }]]));
    expect(await before).toEqual({ of: 1 });
    expect(await asked(2)).toEqual({ of: 2 });
    expect(await cache.find('key')).toEqual({ of: 2 });
  });
});
