import { deriveKey, seal, SealBroken, wrapKey } from './encryption';
import { Keyring, masterKeyId } from './keyring';

const [old, current, foreign] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const before = Keyring.of([old], 'tokens');
const rotating = Keyring.of([current, old], 'tokens');
const after = Keyring.of([current], 'tokens');

describe('a ring of keys', () => {
  it('seals with its first key, and says with which', () => {
    const sealed = rotating.seal('text', 'row 1');
    expect(sealed.startsWith(`${masterKeyId(current)}.e1.`)).toBe(true);
    expect(after.open(sealed, 'row 1')).toBe('text');
    expect(() => before.open(sealed, 'row 1')).toThrow(`sealed with the master key ${masterKeyId(current)}`);
  });

  it('opens what any of its keys sealed, and nothing else', () => {
    expect(rotating.open(before.seal('text', 'row 1'), 'row 1')).toBe('text');
    expect(rotating.unwrap(before.wrap(foreign, 'row 1'), 'row 1')).toEqual(foreign);
    expect(() => rotating.open(Keyring.of([foreign], 'tokens').seal('text'))).toThrow(SealBroken);
    expect(() => rotating.open(before.seal('text', 'row 1'), 'row 2')).toThrow(SealBroken);
    expect(() => rotating.open(Keyring.of([old], 'headers').seal('text'))).toThrow(SealBroken);
  });

  it('opens texts of before there were ids, whichever key sealed them', () => {
    for (const masterKey of [old, current]) {
      const key = deriveKey(masterKey, 'tokens');
      expect(rotating.open(seal('text', key, 'row 1'), 'row 1')).toBe('text');
      expect(rotating.unwrap(wrapKey(foreign, key, 'row 1'), 'row 1')).toEqual(foreign);
    }
  });

  it('opens stable ids of an accepted key, and makes them with the current one', () => {
    const id = before.sealDeterministic('code');
    expect(id.startsWith('d1.')).toBe(true);
    expect(rotating.openDeterministic(id)).toBe('code');
    expect(rotating.sealDeterministic('code')).toBe(after.sealDeterministic('code'));
  });

  it.each([
    ['a text', before.seal('text', 'row 1'), (sealed: string) => after.open(sealed, 'row 1'), 'text'],
    ['a key', before.wrap(foreign, 'row 1'), (sealed: string) => after.unwrap(sealed, 'row 1'), foreign],
    [
      'a text without id',
      seal('text', deriveKey(old, 'tokens'), 'row 1'),
      (sealed: string) => after.open(sealed, 'row 1'),
      'text',
    ],
  ])('renews %s, so that the old key is needed no more', (_, sealed, opened, content) => {
    const renewed = rotating.renewed(sealed, 'row 1');
    expect(opened(renewed)).toEqual(content);
    expect(rotating.renewed(renewed, 'row 1')).toBe(renewed);
  });
});

describe('the id of a master key', () => {
  it('is another one for each key', () => {
    expect(masterKeyId(old)).toMatch(/^[0-9a-f]{8}$/);
    expect(masterKeyId(old)).not.toBe(masterKeyId(current));
  });
});
