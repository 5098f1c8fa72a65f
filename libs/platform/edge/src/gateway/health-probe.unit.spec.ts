import { HealthProbe } from './health-probe';

describe('the watch over an address', () => {
  let isAlive: jest.Mock<Promise<boolean>, [AbortSignal]>;
  let onSilence: jest.Mock<void, []>;
  let watch: HealthProbe;

  beforeEach(() => {
    jest.useFakeTimers({ advanceTimers: false });
    isAlive = jest.fn<Promise<boolean>, [AbortSignal]>(async () => true);
    onSilence = jest.fn();
    watch = new HealthProbe(isAlive, onSilence);
  });
  afterEach(() => {
    watch.close();
    jest.useRealTimers();
  });

  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  it('asks nothing while answers come', async () => {
    watch.began();
    for (let passed = 0; passed < 5_000; passed += 500) {
      await pass(500);
      watch.heard();
    }
    expect(isAlive).not.toHaveBeenCalled();
  });

  it('asks nothing while nobody waits', async () => {
    watch.began();
    watch.ended();
    await pass(60_000);
    expect(isAlive).not.toHaveBeenCalled();
  });

  it('leaves those waiting that a slow service will answer', async () => {
    watch.began();
    await pass(10_000);
    expect(isAlive).toHaveBeenCalled();
    expect([watch.isLost, onSilence.mock.calls.length]).toEqual([false, 0]);
  });

  it('gives up an address that says nothing twice, once', async () => {
    isAlive.mockResolvedValue(false);
    watch.began();
    await pass(999);
    expect(isAlive).not.toHaveBeenCalled();
    await pass(1);
    expect(isAlive).toHaveBeenCalledTimes(2);
    expect([watch.isLost, onSilence.mock.calls.length]).toEqual([true, 1]);
    await pass(10_000);
    expect(onSilence).toHaveBeenCalledTimes(1);
  });

  it('forgives one question without an answer', async () => {
    isAlive.mockResolvedValueOnce(false);
    watch.began();
    await pass(3_000);
    expect([watch.isLost, onSilence.mock.calls.length]).toEqual([false, 0]);
  });

  it('waits for each answer for five beats of its own, however long the process stood still', async () => {
    isAlive.mockImplementation(
      (given) => new Promise((resolve) => given.addEventListener('abort', () => resolve(false))),
    );
    const standStill = () => jest.setSystemTime(Date.now() + 60_000);
    watch.began();
    await pass(1_000);
    for (let beats = 0; beats < 4; beats += 1) {
      standStill();
      await pass(250);
    }
    expect(isAlive).toHaveBeenCalledTimes(1);
    await pass(250);
    expect([watch.isLost, isAlive.mock.calls.length]).toEqual([false, 2]);
    await pass(1_250);
    expect([watch.isLost, onSilence.mock.calls.length]).toEqual([true, 1]);
  });

  it('believes an answer more than a question without one', async () => {
    isAlive.mockImplementation(async () => {
      watch.heard();
      return false;
    });
    watch.began();
    await pass(3_000);
    expect(isAlive).toHaveBeenCalled();
    expect(watch.isLost).toBe(false);
  });

  it('asks a lost address until it answers, also when nobody waits', async () => {
    isAlive.mockResolvedValue(false);
    watch.refused();
    expect(watch.isLost).toBe(true);
    await pass(5_000);
    expect([watch.isLost, isAlive.mock.calls.length, onSilence.mock.calls.length]).toEqual([true, 10, 0]);
    isAlive.mockResolvedValue(true);
    await pass(500);
    expect(watch.isLost).toBe(false);
    await pass(5_000);
    expect(isAlive).toHaveBeenCalledTimes(11);
  });

  it('asks nothing after it was closed', async () => {
    watch.refused();
    watch.close();
    await pass(5_000);
    expect(isAlive).not.toHaveBeenCalled();
  });
});
