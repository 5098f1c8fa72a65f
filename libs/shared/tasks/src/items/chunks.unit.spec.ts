import { chunksOf } from './chunks';

const sizesOf = async (inputs: Iterable<{ item: unknown }>): Promise<number[]> => {
  const sizes: number[] = [];
  for await (const { count, text } of chunksOf(inputs)) {
    expect(JSON.parse(text)).toHaveLength(count);
    sizes.push(count);
  }
  return sizes;
};

const items = (count: number, length = 1) =>
  Array.from({ length: count }, () => ({ item: 'x'.repeat(length) }));

describe('inputs of a task', () => {
  test.each([
    [0, []],
    [1, [1]],
    [200, [200]],
    [201, [200, 1]],
  ])('%d small ones make chunks of %j', async (count, sizes) => {
    expect(await sizesOf(items(count))).toEqual(sizes);
  });

  it('are as many in a chunk as their kind says', async () => {
    const counts: number[] = [];
    for await (const { count } of chunksOf(items(450), undefined, 300)) counts.push(count);
    expect(counts).toEqual([300, 150]);
  });

  it('that are long make smaller chunks, and one that is too long goes alone', async () => {
    expect(await sizesOf(items(5, 60_000))).toEqual([2, 2, 1]);
    expect(await sizesOf([...items(1), ...items(1, 200_000), ...items(1)])).toEqual([1, 1, 1]);
  });

  it('keep their order', async () => {
    const inputs = Array.from({ length: 450 }, (_, item) => ({ item, row: item + 1 }));
    const read: unknown[] = [];
    for await (const { text } of chunksOf(inputs)) read.push(...(JSON.parse(text) as unknown[]));
    expect(read).toEqual(inputs);
  });
});
