import { afterBeats } from './beats';

describe('afterBeats', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('ends after the last beat, once', () => {
    const over = jest.fn();
    afterBeats({ beats: 3, everyMs: 100 }, over);
    jest.advanceTimersByTime(299);
    expect(over).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1_000);
    expect(over).toHaveBeenCalledTimes(1);
  });

  it('does not end once it was stopped', () => {
    const over = jest.fn();
    const stop = afterBeats({ beats: 1, everyMs: 100 }, over);
    stop();
    jest.advanceTimersByTime(1_000);
    expect(over).not.toHaveBeenCalled();
  });
});
