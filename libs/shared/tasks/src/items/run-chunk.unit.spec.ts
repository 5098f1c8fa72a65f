import type { EntityManager } from 'typeorm';
import { type ChunkRun, ItemsThrew, runChunk } from './run-chunk';

/** Runs what is behind a savepoint; PostgreSQL does it in `item-tasks.int.spec`. */
const manager = {
  transaction: (effect: (inner: EntityManager) => Promise<unknown>) => effect(manager),
} as unknown as EntityManager;

describe('items that are carried out alone', () => {
  it('have what was prepared for them', async () => {
    const carriedOut: [items: readonly unknown[], prepared: unknown][] = [];
    const task = {
      kind: 'TEST',
      identifierOf: (item: string) => item,
      preparedFor: (prepared: readonly string[], index: number) => prepared.slice(index, index + 1),
      carryOut: async (
        _: EntityManager,
        __: unknown,
        items: readonly string[],
        ___: null,
        prepared: unknown,
      ) => {
        if (items.length > 1) throw new TypeError('no more than one');
        carriedOut.push([items, prepared]);
        return items.map(() => ({ found: false, updated: true }));
      },
    };
    const run = { task, shared: null, prepared: ['A', 'B', 'C'], onError: () => undefined };
    const carryOut = (alone: boolean) =>
      runChunk(
        manager,
        run as unknown as ChunkRun,
        ['a', 'b', 'c'].map((item) => ({ item })),
        { alone },
      );
    await expect(carryOut(false)).rejects.toThrow(ItemsThrew);
    const results = await carryOut(true);
    expect(results).toHaveLength(3);
    expect(carriedOut).toEqual([
      [['a'], ['A']],
      [['b'], ['B']],
      [['c'], ['C']],
    ]);
  });
});
