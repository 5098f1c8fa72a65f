import { waitUntil } from './wait-until';

describe('waitUntil', () => {
  it('answers the first truthy value', async () => {
    let asked = 0;
    const value = await waitUntil(() => (++asked === 3 ? 'third' : null), {
      what: 'the third',
      intervalMs: 1,
    });
    expect(value).toBe('third');
    expect(asked).toBe(3);
  });

  it('takes an error as not yet', async () => {
    let asked = 0;
    const condition = async () => {
      asked += 1;
      if (asked === 1) throw new Error('not there');
      return asked;
    };
    await expect(waitUntil(condition, { what: 'an answer', intervalMs: 1 })).resolves.toBe(2);
  });

  it('says what it waited for, and why in vain', async () => {
    const failure = new Error('not there');
    const waiting = waitUntil(() => Promise.reject<boolean>(failure), {
      what: 'the card',
      timeoutMs: 20,
      intervalMs: 5,
    });
    await expect(waiting).rejects.toMatchObject({
      message: 'waited 20 ms in vain for the card',
      cause: failure,
    });
  });
});
