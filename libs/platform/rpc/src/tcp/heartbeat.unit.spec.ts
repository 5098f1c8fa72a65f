import { Heartbeat } from './heartbeat';

let hearts: Heartbeat[];

beforeEach(() => {
  jest.useFakeTimers();
  hearts = [];
});
afterEach(() => {
  for (const heart of hearts) heart.stop();
  jest.useRealTimers();
});

const started = () => {
  const [beat, gone] = [jest.fn(), jest.fn()];
  const heart = new Heartbeat({ everyMs: 750, silentBeats: 4, beat, gone });
  hearts.push(heart);
  return { beat, gone, heart };
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

  it('beats for all connections at once, for a new one within a beat', () => {
    const first = started();
    jest.advanceTimersByTime(700);
    const second = started();
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(50);
    expect([first, second].map(({ beat }) => beat.mock.calls.length)).toEqual([1, 1]);
    first.heart.stop();
    jest.advanceTimersByTime(750);
    expect([first, second].map(({ beat }) => beat.mock.calls.length)).toEqual([1, 2]);
  });

  it('leaves no timer behind', () => {
    const { heart } = started();
    heart.stop();
    expect(jest.getTimerCount()).toBe(0);
  });
});
