import { Logger } from '@nestjs/common';
import { type DueJobs, DueLooks } from './due-jobs';

const nothing: DueJobs = { due: 0, nextInMs: null };

describe('looks for jobs that are due', () => {
  let answers: (DueJobs | Error)[];
  let lookedAt: number[];
  let found: jest.Mock;
  let looks: DueLooks;

  beforeEach(() => {
    jest.useFakeTimers();
    const startedAt = performance.now();
    [answers, lookedAt, found] = [[], [], jest.fn()];
    looks = new DueLooks(async () => {
      lookedAt.push(Math.round(performance.now() - startedAt));
      const answer = answers.shift() ?? nothing;
      if (answer instanceof Error) throw answer;
      return answer;
    }, found);
    looks.start();
  });
  afterEach(async () => {
    await looks.stop();
    jest.useRealTimers();
  });

  it('come every second while nothing waits', async () => {
    await jest.advanceTimersByTimeAsync(2_500);
    expect([lookedAt, found.mock.calls]).toEqual([[0, 1_000, 2_000], []]);
  });

  it('come when the next job is due, and wake as many workers as there are jobs', async () => {
    answers = [
      { due: 0, nextInMs: 730 },
      { due: 3, nextInMs: null },
    ];
    await jest.advanceTimersByTimeAsync(1_000);
    expect([lookedAt, found.mock.calls]).toEqual([[0, 730], [[3]]]);
  });

  it('come soon, for a second, after a job of a queue has ended', async () => {
    await jest.advanceTimersByTimeAsync(500);
    looks.queueMoved();
    await jest.advanceTimersByTimeAsync(2_400);
    expect(lookedAt).toEqual([0, 600, 700, 800, 900, 1_000, 1_100, 1_200, 1_300, 1_400, 1_500, 2_500]);
  });

  it('go on after one that failed', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    answers = [new Error('the database is away'), { due: 1, nextInMs: null }];
    await jest.advanceTimersByTimeAsync(2_000);
    expect(found.mock.calls).toEqual([[1]]);
    expect(warned.mock.calls).toEqual([
      ['looking for jobs that are due failed: Error: the database is away'],
    ]);
    warned.mockRestore();
  });

  it('end when they are stopped', async () => {
    await jest.advanceTimersByTimeAsync(0);
    await looks.stop();
    looks.queueMoved();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(lookedAt).toEqual([0]);
  });
});
