import { Fault } from '@scrip/kernel';
import { batchLoader } from './batch-loader';

describe('batchLoader', () => {
  it('turns the calls of one turn into one batch, and answers each caller its own', async () => {
    const loadBatch = jest.fn(async (ids: readonly number[]) => ids.map((id) => `row ${id}`));
    const load = batchLoader(loadBatch);
    expect(await Promise.all([load(1), load(2), load(3)])).toEqual(['row 1', 'row 2', 'row 3']);
    expect(loadBatch.mock.calls).toEqual([[[1, 2, 3]]]);
  });

  it('starts a new batch for calls of a later turn', async () => {
    const loadBatch = jest.fn(async (ids: readonly number[]) => ids.map(String));
    const load = batchLoader(loadBatch);
    await load(1);
    await load(2);
    expect(loadBatch.mock.calls).toEqual([[[1]], [[2]]]);
  });

  it.each([
    [2, [2]],
    [3, [2, 1]],
  ])('splits %i calls by the batch limit of 2', async (count, sizes) => {
    const loadBatch = jest.fn(async (ids: readonly number[]) => ids);
    const load = batchLoader(loadBatch, { maxBatch: 2 });
    await Promise.all(Array.from({ length: count }, (_, id) => load(id)));
    expect(loadBatch.mock.calls.map(([ids]) => ids.length)).toEqual(sizes);
  });

  it("keeps one caller's fault from the others of its batch", async () => {
    const load = batchLoader(async (ids: readonly number[]) => {
      if (ids.includes(13)) throw new Error('unlucky');
      return ids.map((id) => id * 2);
    });
    const settled = await Promise.allSettled([load(1), load(13), load(3)]);
    expect(settled).toEqual([
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: new Error('unlucky') },
      { status: 'fulfilled', value: 6 },
    ]);
  });

  it('tells an outage to all callers of the batch, and calls no second time', async () => {
    const outage = new Fault('unavailable', 'the database is away');
    const loadBatch = jest.fn(() => Promise.reject(outage));
    const load = batchLoader(loadBatch);
    const settled = await Promise.allSettled([load(1), load(2), load(3)]);
    expect(settled).toEqual(settled.map(() => ({ status: 'rejected', reason: outage })));
    expect(loadBatch).toHaveBeenCalledTimes(1);
  });

  it('takes for an outage what its user says', async () => {
    const load = batchLoader(
      async (ids: readonly number[]) => {
        if (ids.length > 1) throw new Fault('unavailable', 'they were in the way of others');
        return ids;
      },
      { isOutage: () => false },
    );
    expect(await Promise.all([load(1), load(2)])).toEqual([1, 2]);
  });

  it('asks for each group by itself: the outage of one is none of the others', async () => {
    const load = batchLoader(
      async (ids: readonly number[]) => {
        if (ids.some((id) => id % 2 === 1)) throw new Fault('unavailable', 'the odd ones are away');
        return ids;
      },
      { groupOf: (id) => (id % 2 === 0 ? 'even' : 'odd') },
    );
    const settled = await Promise.allSettled([load(1), load(2), load(3), load(4)]);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects callers when a batch is answered with too few answers', async () => {
    const load = batchLoader(async () => []);
    await expect(load(1)).rejects.toThrow('a batch of 1 was answered with 0 answers');
  });
});
