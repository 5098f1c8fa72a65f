import { Readiness } from './readiness';

describe('readiness', () => {
  it('has no complaints when every check passes', async () => {
    const readiness = new Readiness();
    readiness.add('database', async () => null);
    readiness.add('jobs', () => null);
    expect(await readiness.complaints()).toEqual({});
  });

  it('names each part that complains, without internals of those that throw', async () => {
    const readiness = new Readiness();
    readiness.add('jobs', () => 'not running');
    readiness.add('database', () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432')));
    readiness.add('start', () => null);
    expect(await readiness.complaints()).toEqual({ jobs: 'not running', database: 'failing' });
  });

  it('does not wait for a check that does not answer', async () => {
    jest.useFakeTimers();
    const readiness = new Readiness();
    readiness.add('database', () => new Promise(() => undefined));
    const complaints = readiness.complaints();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await complaints).toEqual({ database: 'no answer' });
    jest.useRealTimers();
  });

  it('looks once a second, however often it is asked', async () => {
    const check = jest.fn(() => null);
    const readiness = new Readiness();
    readiness.add('database', check);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(10_000);
    await Promise.all([readiness.complaints(), readiness.complaints()]);
    clock.mockReturnValue(10_999);
    await readiness.complaints();
    expect(check).toHaveBeenCalledTimes(1);
    clock.mockReturnValue(11_000);
    await readiness.complaints();
    expect(check).toHaveBeenCalledTimes(2);
    clock.mockRestore();
  });

  it('ends when the process goes down', async () => {
    const readiness = new Readiness();
    readiness.close();
    expect(await readiness.complaints()).toEqual({ process: 'shutting down' });
  });
});
