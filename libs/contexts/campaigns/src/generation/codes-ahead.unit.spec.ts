import { resolveCodeConfig } from './code-config';
import type { CodeFinder } from './code-finder';
import { CodesAhead, type WantedCodes } from './codes-ahead';

const wanted = {
  order: 'aa_1',
  project: { id: 'proj_1' },
  config: resolveCodeConfig({}),
  count: 2,
} as WantedCodes;

/** Answers one list after another; generation.int.spec.ts looks in a real database. */
const finding = (...answers: (string[] | Error)[]) => {
  const find = jest.fn(async () => {
    const next = answers.shift() ?? [];
    if (next instanceof Error) throw next;
    return next.map((code) => ({ code, key: code }));
  });
  return { find, ahead: new CodesAhead({ find } as unknown as CodeFinder) };
};

const codes = async (ahead: CodesAhead): Promise<string[]> =>
  (await ahead.take(wanted)).map(({ code }) => code);

describe('codes ahead', () => {
  it('looks when nothing was begun', async () => {
    const { ahead } = finding(['A', 'B']);
    expect(await codes(ahead)).toEqual(['A', 'B']);
  });

  it('gives what was found ahead once, without the codes that are being stored', async () => {
    const { ahead, find } = finding(['A', 'B'], ['C', 'D']);
    ahead.begin(wanted, new Set(['A']));
    expect(await codes(ahead)).toEqual(['B']);
    expect(find).toHaveBeenCalledTimes(1);
    expect(await codes(ahead)).toEqual(['C', 'D']);
  });

  it.each<[string, string[] | Error]>([
    ['nothing is left of it', ['A']],
    ['the look failed', new Error('the database is away')],
  ])('looks again where %s', async (_, first) => {
    const { ahead } = finding(first, ['C']);
    ahead.begin(wanted, new Set(['A']));
    expect(await codes(ahead)).toEqual(['C']);
  });

  it('says so when the second look fails too', async () => {
    const away = new Error('the database is away');
    const { ahead } = finding(away, away);
    ahead.begin(wanted, new Set());
    await expect(ahead.take(wanted)).rejects.toBe(away);
  });

  it('keeps the orders apart', async () => {
    const { ahead } = finding(['A'], ['B']);
    ahead.begin(wanted, new Set());
    ahead.begin({ ...wanted, order: 'aa_2' }, new Set());
    expect(await codes(ahead)).toEqual(['A']);
  });
});
