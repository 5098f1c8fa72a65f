import { Heartbeat } from './heartbeat';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const started = () => {
  const [beat, gone] = [jest.fn(), jest.fn()];
  return { beat, gone, heart: new Heartbeat({ everyMs: 750, silentBeats: 4, beat, gone }) };
};

describe('a heartbeat', () => {
  it('gives up after four beats without a byte: 3.75 s after the last one at most', () => {
    const { beat, gone } = started();
    jest.advanceTimersByTime(3_749);
    expect(gone).not.toHaveBeenCalled();
    expect(beat).toHaveBeenCalledTimes(4);
    jest.advanceTimersByTime(1);
    expect(gone).toHaveBeenCalledTimes(1);
  });

  it('goes on as long as something is heard', () => {
    const { gone, heart } = started();
    for (let count = 0; count < 10; count += 1) {
      jest.advanceTimersByTime(3_000);
      heart.heard();
    }
    expect(gone).not.toHaveBeenCalled();
  });

  it('doubts a side that left one ping unanswered for a whole beat', () => {
    const { heart } = started();
    jest.advanceTimersByTime(750);
    expect(heart.isDoubtful).toBe(false);
    jest.advanceTimersByTime(750);
    expect(heart.isDoubtful).toBe(true);
    heart.heard();
    expect(heart.isDoubtful).toBe(false);
  });

  it('leaves no timer behind', () => {
    const { heart } = started();
    heart.stop();
    expect(jest.getTimerCount()).toBe(0);
  });
});
