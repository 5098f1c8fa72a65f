import {
  SealBroken,
  deriveKey,
  keyObjectOf,
  newKey,
  open,
  openOnce,
  openDeterministic,
  seal,
  sealOnce,
  sealDeterministic,
  sharedKey,
  unwrapKey,
  wrapKey,
} from './encryption';
import { Secret } from './secret';

const key = Buffer.alloc(32, 1);
const otherKey = Buffer.alloc(32, 2);

const flipped = (sealed: string, at: number): string => {
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  bytes[at] = bytes[at]! ^ 1;
  return sealed.slice(0, 3) + bytes.toString('base64url');
};

describe.each([
  ['seal', seal, open],
  ['seal, opened once', seal, openOnce],
  ['seal once', sealOnce, open],
  ['sealDeterministic', sealDeterministic, openDeterministic],
])('%s', (_, close, reopen) => {
  it.each(['', 'zażółć gęślą jaźń 😀', 'x'.repeat(100_000)])('gives the text back', (text) => {
    expect(reopen(close(text, key, 'cust_1'), key, 'cust_1')).toBe(text);
  });

  it('opens neither with another key nor bound to another text', () => {
    const sealed = close('secret', key, 'cust_1');
    expect(() => reopen(sealed, otherKey, 'cust_1')).toThrow(SealBroken);
    expect(() => reopen(sealed, key, 'cust_2')).toThrow(SealBroken);
  });

  it.each([0, 11, 12, 27, 28, 33])('notices a changed byte %i', (at) => {
    expect(() => reopen(flipped(close('secret', key), at), key)).toThrow(SealBroken);
  });

  it.each(['', 'e1.', 'd1.AAAA', 'plain', 'x1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])(
    'does not open %p',
    (text) => {
      expect(() => reopen(text, key)).toThrow(SealBroken);
    },
  );

  it('does not open another spelling of the same bytes', () => {
    expect(() => reopen(`${close('secret', key)}=`, key)).toThrow(SealBroken);
  });

  it('needs a key of 32 bytes', () => expect(() => close('secret', Buffer.alloc(31))).toThrow(RangeError));
});

describe('deterministic sealing', () => {
  it('gives equal results for equal input only', () => {
    expect(sealDeterministic('a', key)).toBe(sealDeterministic('a', key));
    expect(sealDeterministic('a', key)).not.toBe(sealDeterministic('b', key));
    expect(sealDeterministic('a', key, 'x')).not.toBe(sealDeterministic('a', key, 'y'));
    expect(seal('a', key)).not.toBe(seal('a', key));
  });

  it('is not interchangeable with the random kind', () => {
    expect(() => open(sealDeterministic('a', key), key)).toThrow(SealBroken);
    expect(() => openDeterministic(seal('a', key), key)).toThrow(SealBroken);
  });
});

describe('keys', () => {
  it('are wrapped and unwrapped', () => {
    const dataKey = newKey();
    expect(unwrapKey(wrapKey(dataKey, key, 'proj_1'), key, 'proj_1')).toEqual(dataKey);
    expect(() => unwrapKey(wrapKey(dataKey, key, 'proj_1'), key, 'proj_2')).toThrow(SealBroken);
  });

  it('are never given out twice', () => {
    const keys = Array.from({ length: 1_000 }, () => newKey());
    expect(new Set(keys.map((one) => one.toString('hex'))).size).toBe(1_000);
    expect(keys.every(({ length }) => length === 32)).toBe(true);
  });

  it('of one master key differ by purpose and stay the same', () => {
    expect(deriveKey(key, 'webhooks')).toEqual(deriveKey(key, 'webhooks'));
    expect(deriveKey(key, 'webhooks')).not.toEqual(deriveKey(key, 'assets'));
    expect(deriveKey(key, 'webhooks')).not.toEqual(deriveKey(otherKey, 'webhooks'));
    expect(deriveKey(key, 'webhooks')).toHaveLength(32);
  });
});

describe('keyObjectOf', () => {
  it('makes one object for each key, which works like the key', () => {
    expect(keyObjectOf(key)).toBe(keyObjectOf(key));
    expect(keyObjectOf(key).export()).toEqual(key);
    expect(keyObjectOf(otherKey).export()).toEqual(otherKey);
  });
});

describe('sealing many texts', () => {
  it('never uses an IV twice', () => {
    const ivs = Array.from({ length: 2_000 }, () => seal('same', key).slice(3, 19));
    expect(new Set(ivs).size).toBe(2_000);
  });
});

describe('sharedKey', () => {
  it('is the same in every process that knows the secret, and another one for each purpose and secret', () => {
    const rpc = sharedKey(new Secret('of all lengths'), 'rpc');
    expect(rpc).toHaveLength(32);
    expect(sharedKey(new Secret('of all lengths'), 'rpc')).toEqual(rpc);
    expect(sharedKey(new Secret('of all lengths'), 'request-context')).not.toEqual(rpc);
    expect(sharedKey(new Secret('another'), 'rpc')).not.toEqual(rpc);
  });
});
