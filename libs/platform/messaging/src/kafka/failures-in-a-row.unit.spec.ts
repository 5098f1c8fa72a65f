import { FailuresInARow } from './failures-in-a-row';

const noLeader = new Error('This server does not host this topic-partition');

describe('failures in a row', () => {
  let lines: string[];
  let seconds: number;
  let failures: FailuresInARow;

  beforeEach(() => {
    lines = [];
    seconds = 0;
    const log = {
      warn: (text: string) => lines.push(`warn ${text}`),
      debug: (text: string) => lines.push(`debug ${text}`),
    };
    failures = new FailuresInARow(log, () => seconds * 1_000);
  });

  const severities = (): string[] => lines.map((line) => line.split(' ')[0] ?? '');

  it('are warnings once they have lasted for ten seconds, and again after a success', () => {
    for (seconds of [0, 1, 9, 10, 15]) failures.failed('cannot consume', noLeader);
    failures.over();
    failures.failed('cannot consume', noLeader);
    expect(severities()).toEqual(['debug', 'debug', 'debug', 'warn', 'warn', 'debug']);
    expect(lines[0]).toBe('debug cannot consume: Error: This server does not host this topic-partition');
  });

  it('are warnings at once where they do not pass by themselves', () => {
    failures.failed('cannot consume', new Error('Not authorized to access group'));
    expect(severities()).toEqual(['warn']);
  });
});
