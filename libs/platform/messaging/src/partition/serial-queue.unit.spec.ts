import { SerialQueue } from './serial-queue';

describe('SerialQueue', () => {
  it('runs one at a time, in the order asked', async () => {
    const turns = new SerialQueue();
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await new Promise(setImmediate);
      seen.push(`${name} ends`);
    };
    await Promise.all([turns.run(work('a')), turns.run(work('b'))]);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('goes on after a failure, which its caller sees', async () => {
    const turns = new SerialQueue();
    const failed = turns.run(() => Promise.reject(new Error('a')));
    const next = turns.run(async () => 'b');
    await expect(failed).rejects.toThrow('a');
    expect(await next).toBe('b');
  });

  it('is idle when nothing runs any more, what was added meanwhile included', async () => {
    const turns = new SerialQueue();
    let ended = 0;
    const count = async () => void (ended += 1);
    void turns.run(async () => {
      void turns.run(count);
      await count();
    });
    await turns.idle();
    expect(ended).toBe(2);
  });
});
