import { isAllowedIp } from './allowed-ip';
import { isForeign } from './foreign-id';
import { newSecret, SecretHashes } from './secret-hash';

describe('an unknown id', () => {
  const hex = '0190000000007000800000000000abcd';

  test.each([
    [`us1-${hex}`, true],
    ['as1-anything', true],
    [`acme2-${hex}`, true],
    [`acme2-${'x'.repeat(43)}`, true],
    [`eu1-${hex}`, false],
    ['my-app', false],
    [`acme2-${hex}0`, false],
    [`ACME2-${hex}`, false],
    [`a-${hex}`, false],
    ['us1-', false],
    ['us1', false],
    ['', false],
  ])('%s belongs to another cluster than eu1: %s', (id, foreign) => {
    expect(isForeign(id, 'eu1')).toBe(foreign);
  });
});

describe('a list of addresses', () => {
  test.each<[string, string[], boolean]>([
    ['10.0.0.1', [], true],
    ['10.0.0.1', ['10.0.0.1'], true],
    ['10.0.0.2', ['10.0.0.1'], false],
    ['10.0.0.2', ['10.0.0.0/30'], true],
    ['10.0.0.4', ['10.0.0.0/30'], false],
    ['::ffff:10.0.0.2', ['10.0.0.0/30'], true],
    ['2001:db8::1', ['2001:0db8:0:0::1'], true],
    ['2001:db8::1', ['10.0.0.0/0'], false],
    ['10.0.0.1', ['10.0.0.0/99', 'nonsense', ''], false],
    ['nonsense', ['0.0.0.0/0'], false],
  ])('%s in %j: %s', (ip, allowed, admitted) => {
    expect(isAllowedIp(ip, allowed)).toBe(admitted);
  });
});

describe('a secret', () => {
  const hashes = new SecretHashes(Buffer.alloc(32, 1));

  it('matches its own hash only', () => {
    const stored = hashes.hash('key', 'secret');
    expect(hashes.matches('key', 'secret', stored)).toBe(true);
    expect(hashes.matches('key', 'guess', stored)).toBe(false);
    expect(hashes.matches('other key', 'secret', stored)).toBe(false);
    expect(new SecretHashes(Buffer.alloc(32, 2)).matches('key', 'secret', stored)).toBe(false);
  });

  it('never matches where nothing, or no hash, is stored', () => {
    expect(hashes.matches('key', 'secret', null)).toBe(false);
    expect(hashes.matches('key', 'secret', Buffer.alloc(0))).toBe(false);
  });

  it('has 256 random bits', () => {
    expect(newSecret()).toMatch(/^[\w-]{43}$/);
    expect(newSecret()).not.toBe(newSecret());
  });
});
