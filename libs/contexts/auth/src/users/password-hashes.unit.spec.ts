import { scryptSync } from 'node:crypto';
import { newPassword, PasswordHashes } from './password-hashes';
import { problemOfPassword } from './password-rules';

const cheap = new PasswordHashes(10);

describe('the hash of a password', () => {
  it('is a PHC text that says how it was made, another each time', async () => {
    const [one, other] = [await cheap.hash('mlk-fgo-wxyh', 'here'), await cheap.hash('mlk-fgo-wxyh', 'here')];
    expect(one).toMatch(/^\$scrypt\$ln=10,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(one).not.toBe(other);
  });

  it('is that of scrypt', async () => {
    const salt = Buffer.alloc(16, 1);
    const hash = scryptSync('mlk-fgo-wxyh', salt, 32, { N: 16, r: 8, p: 1 });
    const [saltText, hashText] = [salt, hash].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
    const stored = `$scrypt$ln=4,r=8,p=1$${saltText}$${hashText}`;
    expect(await cheap.verify('mlk-fgo-wxyh', stored, 'here')).toEqual({ isRight: true, isOutdated: true });
  });

  it.each([
    ['the password', 'mlk-fgo-wxyh', true],
    ['another one', 'mlk-fgo-wxyi', false],
    ['none', '', false],
  ])('fits %s: %s', async (_name, password, isRight) => {
    const stored = await cheap.hash('mlk-fgo-wxyh', 'here');
    expect(await cheap.verify(password, stored, 'here')).toEqual({ isRight, isOutdated: false });
  });

  it('is the same for texts that look the same', async () => {
    const stored = await cheap.hash('cafe\u0301 au lait!', 'here');
    expect((await cheap.verify('caf\u00e9 au lait!', stored, 'here')).isRight).toBe(true);
  });

  it('is outdated where the cost has risen since, and not where it fell', async () => {
    const stored = await cheap.hash('mlk-fgo-wxyh', 'here');
    expect(await new PasswordHashes(11).verify('mlk-fgo-wxyh', stored, 'here')).toEqual({
      isRight: true,
      isOutdated: true,
    });
    expect((await new PasswordHashes(9).verify('mlk-fgo-wxyh', stored, 'here')).isOutdated).toBe(false);
  });

  it.each([null, '', 'mlk-fgo-wxyh', '$scrypt$ln=10,r=8,p=1$$'])(
    'fits nothing where it is %j',
    async (stored) => {
      expect((await cheap.verify('', stored, 'here')).isRight).toBe(false);
    },
  );

  it('is made for two addresses at a time, and refused where 20 wait', async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 25 }, (_, n) => cheap.verify('mlk-fgo-wxyh', null, `address ${n}`)),
    );
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(3);
    expect(refused[0]).toMatchObject({ reason: { kind: 'overloaded' } });
    expect((await cheap.verify('mlk-fgo-wxyh', null, 'here')).isRight).toBe(false);
  });

  it('is made one at a time for an address that asks for many, and others need not wait for them', async () => {
    // A password is normalized when its turn begins. Which of two threads ends first is chance.
    const begun: string[] = [];
    const { normalize } = String.prototype;
    const spy = jest.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form) {
      begun.push(String(this));
      return normalize.call(this, form);
    });
    const many = Array.from({ length: 6 }, () => cheap.verify('of many', null, 'many'));
    const other = cheap.verify('of another', null, 'other');
    const all = await Promise.allSettled(many);
    await other;
    spy.mockRestore();
    expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(begun).toEqual(['of many', 'of another', ...Array<string>(4).fill('of many')]);
  });
});

it('makes passwords of 20 characters that it accepts itself', () => {
  const made = Array.from({ length: 200 }, newPassword);
  expect(new Set(made).size).toBe(200);
  for (const password of made) {
    expect(password).toMatch(/^[a-hjkmnp-z2-9]{20}$/);
    expect(problemOfPassword(password, 'admin')).toBeNull();
  }
});
