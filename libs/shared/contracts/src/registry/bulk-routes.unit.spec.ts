import { bulkLimitBytes, publicRoutes } from './index';

describe('routes of imports and bulks', () => {
  const bulk = publicRoutes.filter((row) => row.bulk);

  it.each(bulk.map((row) => [`${row.method} ${row.path}`, row] as const))(
    'take 10 MB, and the time to store it: %s',
    (_name, row) => {
      expect([row.bodyLimitBytes, row.deadlineMs]).toEqual([10_485_760, 50_000]);
    },
  );

  it('are there', () => {
    expect(bulk.filter(({ consumes }) => consumes === 'json').length).toBeGreaterThanOrEqual(9);
    expect(bulkLimitBytes).toBe(10_485_760);
  });
});
