import { LeaderBell } from './leader-bell';

describe('the bell of a leader', () => {
  let told: number;
  let answer: Promise<void>;
  let bell: LeaderBell;

  beforeEach(() => {
    jest.useFakeTimers();
    [told, answer] = [0, Promise.resolve()];
    bell = new LeaderBell({
      tellLeader: () => {
        told += 1;
        return answer;
      },
    });
  });
  afterEach(() => jest.useRealTimers());

  it('rings at once for the first commit, and once a second for others', async () => {
    bell.ring();
    bell.ring();
    await jest.advanceTimersByTimeAsync(999);
    bell.ring();
    expect(told).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    bell.ring();
    expect(told).toBe(2);
  });

  it('rings again for the next commit when nobody was told', async () => {
    answer = Promise.reject(new Error('the connection of the lock is gone'));
    bell.ring();
    await jest.advanceTimersByTimeAsync(1);
    bell.ring();
    expect(told).toBe(2);
  });
});
