import { findKept, type Standing } from './kept-record';

const owner = 'camp_tpl_0190000000007000800000000000abcd';

let asked = 0;
beforeEach(() => {
  asked = 0;
});

/** What stands under ids, each a text; null: it is deleted. Returns where the text `kept` under `seg_1` is. */
const find = (standing: ReadonlyMap<string, string | null>) =>
  findKept<string, 'seg_'>(
    { id: 'seg_1', prefix: 'seg_', owner },
    async (ids) => {
      asked += 1;
      return new Map(
        ids.flatMap((id): [string, Standing<string>][] => {
          const record = standing.get(id);
          return record === undefined ? [] : [[id, { record: record ?? '', deleted: record === null }]];
        }),
      );
    },
    (record) => record === 'kept',
  );

const createdAfter = async (standing: ReadonlyMap<string, string | null>): Promise<string> => {
  const found = await find(standing);
  if (!('created' in found)) throw new Error(`${found.id} was found`);
  return found.created;
};

describe('a kept record', () => {
  it('is the one that stands unchanged under its id', async () => {
    expect(await find(new Map([['seg_1', 'kept']]))).toEqual({ id: 'seg_1' });
  });

  it.each([
    ['is missing', []],
    ['changed', [['seg_1', 'other']]],
    ['was deleted', [['seg_1', null]]],
  ] as const)('that %s is created once, and found again', async (_, standing) => {
    const id = await createdAfter(new Map(standing));
    expect(id).toMatch(/^seg_[0-9a-f]{32}$/);
    expect(await find(new Map([...standing, [id, 'kept']]))).toEqual({ id });
  });

  it('is created anew where what was created before changed or went', async () => {
    const first = await createdAfter(new Map());
    const second = await createdAfter(new Map([[first, 'other']]));
    expect(second).not.toBe(first);
    expect(await createdAfter(new Map([[first, null]]))).toBe(second);
    expect(
      await find(
        new Map([
          [first, null],
          [second, 'kept'],
        ]),
      ),
    ).toEqual({ id: second });
  });

  it('is created anew however often, and found by a question for every twenty of them', async () => {
    const standing = new Map<string, string | null>();
    for (let n = 0; n < 70; n += 1) standing.set(await createdAfter(standing), n % 2 === 0 ? 'other' : null);
    expect(standing.size).toBe(70);
    const [last] = [...standing.keys()].slice(-1);
    standing.set(last!, 'kept');
    asked = 0;
    expect(await find(standing)).toEqual({ id: last });
    expect(asked).toBe(4);
  });
});
