import { Secret, TOTP } from 'otpauth';

/** Seconds for which a code is shown. Source: RFC 6238. */
const periodS = 30;
/** Codes before and behind the one of now that count too: clocks of phones are not exact. */
const window = 1;
const secretBytes = 20;

const totpOf = (secret: string, login = ''): TOTP =>
  new TOTP({ issuer: 'Scrip', label: login, secret: Secret.fromBase32(secret), digits: 6, period: periodS });

/** Returns a new secret of 160 bits, in base32. */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

/** The text that authenticators take, as a QR code or a link. */
export const totpUri = (secret: string, login: string): string => totpOf(secret, login).toString();

/** Returns the step that a code is the one of, counted from 1970, at `nowMs` or a step away; null for another code. Source: RFC
 *  6238. */
export const stepOfCode = (secret: string, code: string, nowMs: number): number | null => {
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window });
  return delta === null ? null : Math.floor(nowMs / 1_000 / periodS) + delta;
};
