import { newTotpSecret, stepOfCode, totpUri } from './totp';

/** The secret of RFC 6238, "12345678901234567890". */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a code of an authenticator', () => {
  // The last six digits of the table in RFC 6238, appendix B.
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_111_111_111, '050471', 37_037_037],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
    [20_000_000_000, '353130', 666_666_666],
  ])('at %d s is %s, of step %d', (atS, code, step) => {
    expect(stepOfCode(secret, code, atS * 1_000)).toBe(step);
  });

  it.each([
    [-31, null],
    [-30, 37_037_036],
    [30 + 28, 37_037_036],
    [30 + 29 + 2, null],
  ])('counts a step before and behind its own, %d s away', (awayS, step) => {
    const startS = 37_037_036 * 30;
    expect(stepOfCode(secret, '081804', (startS + awayS) * 1_000)).toBe(step);
  });

  it.each(['081805', '', '81804', '0818040', 'abcdef'])('is not %j', (code) => {
    expect(stepOfCode(secret, code, 1_111_111_109_000)).toBeNull();
  });

  it('is made from a secret of 160 bits, another each time, that a URI carries', () => {
    const made = newTotpSecret();
    expect(made).toMatch(/^[A-Z2-7]{32}$/);
    expect(made).not.toBe(newTotpSecret());
    expect(totpUri(made, 'ada@example.com')).toBe(
      `otpauth://totp/Scrip:ada%40example.com?issuer=Scrip&secret=${made}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
