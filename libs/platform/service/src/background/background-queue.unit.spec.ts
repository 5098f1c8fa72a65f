import { BackgroundQueue } from './background-queue';

/** A queue whose runs end when the test says so. */
const heldQueue = (waitingMax = 10) => {
  const runs: { items: string[]; end: () => void }[] = [];
  const dropped: string[] = [];
  const queue = new BackgroundQueue<string>({
    waitingMax,
    weightOf: (item) => item.length,
    run: (items) => new Promise((end) => runs.push({ items, end })),
    dropped: (item) => dropped.push(item),
  });
  return { queue, runs, dropped };
};

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a queue in the background', () => {
  it('hands on together what is pushed in one turn, and what comes meanwhile once that is done', async () => {
    const { queue, runs } = heldQueue();
    queue.push('a');
    queue.push('b');
    expect(runs).toEqual([]);
    await nextTurn();
    queue.push('c');
    queue.push('d');
    await nextTurn();
    expect(runs.map(({ items }) => items)).toEqual([['a', 'b']]);
    runs[0]!.end();
    await nextTurn();
    expect(runs.map(({ items }) => items)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('drops what is too much for it, and takes more once something was handed on', async () => {
    const { queue, runs, dropped } = heldQueue(4);
    queue.push('abc');
    queue.push('de');
    queue.push('f');
    expect(dropped).toEqual(['de']);
    await nextTurn();
    expect(runs[0]!.items).toEqual(['abc', 'f']);
    queue.push('ghij');
    expect(dropped).toEqual(['de']);
  });

  it('is drained when the last run has ended', async () => {
    const { queue, runs } = heldQueue();
    await queue.drained();
    queue.push('a');
    let isDrained = false;
    const drained = queue.drained().then(() => (isDrained = true));
    await nextTurn();
    queue.push('b');
    runs[0]!.end();
    await nextTurn();
    expect(isDrained).toBe(false);
    runs[1]!.end();
    await drained;
  });
});
