import { createHash, randomInt } from 'node:crypto';

// No 0, 1, i, l, o: they look alike.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 4;
const groupLength = 4;

/** Codes that a user gets at once. Source: reference 07 §2.5. */
export const backupCodesMax = 10;

const newBackupCode = (): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-');

/** Returns ten new codes of 16 characters each, with 79 random bits: `h3kx-7cw2-mzp9-f4rt`. */
export const newBackupCodes = (): string[] => Array.from({ length: backupCodesMax }, newBackupCode);

/** The hash that a code is kept by. Case, blanks and dashes do not matter. */
export const backupCodeHash = (code: string): Buffer =>
  createHash('sha256').update(code.toLowerCase().replace(/[\s-]/g, '')).digest();
