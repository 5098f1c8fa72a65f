import { halfForEach } from './shared-budget';
import { Turns } from './turns';

const minute = 60_000;

describe('turns', () => {
  let turns: Turns;
  const begun: string[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
    turns = new Turns({ turns: halfForEach(4), places: halfForEach(6) }, 'too much');
    begun.length = 0;
  });
  afterEach(() => jest.useRealTimers());

  const ask = (project: string, name: string, patienceMs = minute): Promise<() => void> =>
    turns.take(project, patienceMs).then((end) => {
      begun.push(name);
      return end;
    });
  const settled = () => jest.advanceTimersByTimeAsync(0);

  it('are half of all for one project, so that another one need not wait', async () => {
    for (const name of ['a1', 'a2', 'a3']) void ask('a', name);
    void ask('b', 'b1');
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    expect([turns.running, turns.waiting]).toEqual([3, 1]);
  });

  it('pass on to those who wait, oldest first, when they end; ended twice they pass on once', async () => {
    const first = ask('a', 'a1');
    for (const name of ['a2', 'a3', 'a4']) void ask('a', name);
    const end = await first;
    end();
    end();
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'a3']);
    expect([turns.running, turns.waiting]).toEqual([2, 1]);
  });

  it('come first to projects that read least, whatever two others have queued up', async () => {
    const first = ask('a', 'a1');
    void ask('a', 'a2');
    const last = ask('b', 'b1');
    void ask('b', 'b2');
    for (const name of ['a3', 'a4']) void ask('a', name);
    for (const name of ['b3', 'b4']) void ask('b', name);
    void ask('c', 'c1');
    (await first)();
    (await last)();
    await settled();
    expect(begun.slice(4)).toEqual(['c1', 'a3']);
  });

  it('are refused to those who wait in vain, and leave no trace of them', async () => {
    const held = [ask('a', 'a1'), ask('a', 'a2')];
    const late = expect(ask('a', 'a3', 1_000)).rejects.toMatchObject({ kind: 'overloaded' });
    await jest.advanceTimersByTimeAsync(1_000);
    await late;
    expect([turns.waiting, turns.overloaded]).toEqual([0, 1]);
    for (const one of held) (await one)();
    void ask('a', 'a4');
    await settled();
    expect([begun, turns.running]).toEqual([['a1', 'a2', 'a4'], 1]);
  });

  it('are refused at once to a project that takes half of the places, and to nobody else', async () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void ask('a', name);
    await expect(ask('a', 'a6')).rejects.toMatchObject({ kind: 'overloaded' });
    void ask('b', 'b1');
    await settled();
    expect(begun).toEqual(['a1', 'a2', 'b1']);
  });

  it('are one at least', async () => {
    turns = new Turns({ turns: halfForEach(1), places: halfForEach(2) }, 'too much');
    void ask('a', 'a1');
    await settled();
    expect(begun).toEqual(['a1']);
  });
});
