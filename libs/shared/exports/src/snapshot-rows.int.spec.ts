import { Secret } from '@scrip/kernel';
import { readSettings } from '@scrip/service';
import { createDatabase } from '@scrip/testing';
import { snapshotRows } from './snapshot-rows';

describe('the rows of a snapshot', () => {
  let databaseUrl: Secret;

  beforeAll(async () => {
    databaseUrl = new Secret(await createDatabase('snapshot_rows'));
  });

  /** The numbers of the rows that each fetch took, of `count` rows with as many characters each. */
  const fetchesOf = async (count: number, characters: number): Promise<number[][]> => {
    const statement = {
      text: `SELECT n, repeat('x', $2::int) AS text FROM generate_series(1, $1::int) n`,
      values: [count, characters],
    };
    const fetches: number[][] = [];
    const { signal } = new AbortController();
    const config = { ...readSettings({}), databaseUrl };
    for await (const rows of snapshotRows<{ n: number }>(config, 'campaigns', statement, signal))
      fetches.push(rows.map(({ n }) => n));
    return fetches;
  };
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

  it('come by the hundred where they are small, each once', async () => {
    const fetches = await fetchesOf(2_000, 10);
    expect(fetches.flat()).toEqual(upTo(2_000));
    expect(fetches.map(({ length }) => length)).toEqual([25, 500, 500, 500, 475]);
  });

  it('come as few as fit some megabytes where they are large', async () => {
    const large = await fetchesOf(60, 600_000);
    expect(large.flat()).toEqual(upTo(60));
    expect(Math.max(...large.slice(1).map(({ length }) => length))).toBe(6);
  });
});
