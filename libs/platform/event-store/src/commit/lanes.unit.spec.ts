import { Lanes } from './lanes';

interface Sent {
  batch: readonly string[];
  end: () => void;
}

const lanesOf = (limits: Partial<{ lanes: number; together: number; patienceMs: number }> = {}) => {
  const sent: Sent[] = [];
  const lanes = new Lanes<string>(
    { lanes: 2, together: 3, patienceMs: 60_000, ...limits },
    (batch) => new Promise((end) => sent.push({ batch, end })),
  );
  return { lanes, sent, batches: () => sent.map(({ batch }) => batch.join('')) };
};

const turn = (): Promise<void> => new Promise((next) => setImmediate(() => setImmediate(next)));

describe('lanes', () => {
  it('send what is ready together as one batch, of at most so many', async () => {
    const { lanes, batches } = lanesOf();
    for (const work of 'abcd') lanes.add('', work);
    await turn();
    expect(batches()).toEqual(['abc', 'd']);
  });

  it('keep shapes apart and let none wait for ever', async () => {
    const { lanes, sent, batches } = lanesOf({ lanes: 1 });
    for (const work of 'aaaa') lanes.add('a', work);
    lanes.add('b', 'b');
    await turn();
    expect(batches()).toEqual(['aaa']);
    for (const expected of ['b', 'a']) {
      sent.at(-1)!.end();
      await turn();
      expect(batches().at(-1)).toBe(expected);
    }
  });

  it('send no more than there are lanes, and the rest together when one is free', async () => {
    const { lanes, sent, batches } = lanesOf({ lanes: 1 });
    for (const work of 'abc') {
      lanes.add('', work);
      await turn();
    }
    expect(batches()).toEqual(['a']);
    sent[0]!.end();
    await turn();
    expect(batches()).toEqual(['a', 'bc']);
  });

  it('do not wait for a batch that takes long, nor count it twice when it ends', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { lanes, sent, batches } = lanesOf({ lanes: 1, patienceMs: 50 });
    lanes.add('', 'a');
    await turn();
    lanes.add('', 'b');
    jest.advanceTimersByTime(50);
    jest.useRealTimers();
    await turn();
    expect(batches()).toEqual(['a', 'b']);
    sent[0]!.end();
    await turn();
    lanes.add('', 'c');
    await turn();
    expect(batches()).toEqual(['a', 'b']);
  });
});
