import { isCommand } from './commands';

describe('a command line of npm run messaging', () => {
  it.each([
    [[], false],
    [['status'], true],
    [['status', 'twice'], false],
    [['replay'], false],
    [['replay', 'webhooks.fan-out'], true],
    [['rebuild'], false],
    [['relay-rewind', 'campaigns'], false],
    [['nonsense'], false],
  ])('%p is a command: %p', (words, expected) => expect(isCommand(words, {})).toBe(expected));

  it('rewinds a relay only to an instant', () =>
    expect(isCommand(['relay-rewind', 'campaigns'], { since: 'beginning' })).toBe(true));
});
