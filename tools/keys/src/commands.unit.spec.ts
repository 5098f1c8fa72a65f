import { isKeyCommand } from './commands';

describe('a command line of npm run keys', () => {
  it.each([
    [[], {}, false],
    [['list'], {}, true],
    [['list', 'twice'], {}, false],
    [['issue'], { kind: 'server' }, false],
    [['rotate'], {}, false],
    [['rotate', 'key_1'], {}, true],
    [['addresses', 'key_1'], {}, false],
    [['nonsense', 'key_1'], {}, false],
  ])('%p with %p is a command: %p', (words, options, expected) =>
    expect(isKeyCommand(words, options)).toBe(expected),
  );
});
