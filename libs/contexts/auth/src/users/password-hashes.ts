import { Turns } from '@scrip/kernel';
import { randomBytes, randomInt, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { normalizedPassword } from './password-rules';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

interface Parameters {
  /** Base-2 logarithm of N. */
  ln: number;
  r: number;
  p: number;
}

const saltBytes = 16;
const hashBytes = 32;
const phcForm = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

const hashWith = (password: string, salt: Buffer, { ln, r, p }: Parameters): Promise<Buffer> =>
  derive(normalizedPassword(password), salt, hashBytes, { N: 2 ** ln, r, p, maxmem: 256 * r * 2 ** ln });

const readPhc = (text: string): { parameters: Parameters; salt: Buffer; hash: Buffer } | null => {
  const [, ln, r, p, salt = '', hash = ''] = phcForm.exec(text) ?? [];
  if (ln === undefined) return null;
  return {
    parameters: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
};

/** Hashes at a time, each of 128 MiB at the usual cost, and calls that wait for their turn: more would not be answered in
 *  time. An address has one at a time. */
const turnSizes = { turns: { total: 2, perHolder: 1 }, places: { total: 20, perHolder: 4 } };
const patienceMs = 8_000;

/** Whether a password is the one, and whether its hash should be made anew. */
export interface PasswordVerdict {
  isRight: boolean;
  /** The parameters have risen since it was hashed. */
  isOutdated: boolean;
}

/** Hashes of passwords: scrypt with r 8 and p 1, as PHC texts. Source: RFC 7914; reference 07 §2.4. */
export class PasswordHashes {
  private readonly parameters: Parameters;
  private readonly turns = new Turns(turnSizes, 'too many passwords are being checked');

  /** `cost`: the base-2 logarithm of N; 17 takes 128 MiB and some 0.4 s. */
  constructor(cost: number) {
    this.parameters = { ln: cost, r: 8, p: 1 };
  }

  /** `address`: who takes the turn, as `addressKey` spells it. Throws `Fault` (503) where too many wait. */
  async hash(password: string, address: string): Promise<string> {
    const { ln, r, p } = this.parameters;
    const salt = randomBytes(saltBytes);
    const hash = await this.inTurn(address, () => hashWith(password, salt, this.parameters));
    return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`;
  }

  /** Takes as long where there is no hash (`stored` null), and is false then. `address`: as for `hash`. Throws `Fault` (503) where too many wait. */
  async verify(password: string, stored: string | null, address: string): Promise<PasswordVerdict> {
    const known = stored === null ? null : readPhc(stored);
    const { parameters, salt, hash } = known ?? {
      parameters: this.parameters,
      salt: Buffer.alloc(saltBytes),
      hash: Buffer.alloc(hashBytes),
    };
    const made = await this.inTurn(address, () => hashWith(password, salt, parameters));
    const isRight = timingSafeEqual(made, hash) && known !== null;
    const { ln, r, p } = this.parameters;
    return { isRight, isOutdated: parameters.ln < ln || parameters.r < r || parameters.p < p };
  }

  private async inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
    const endTurn = await this.turns.take(address, patienceMs);
    try {
      return await work();
    } finally {
      endTurn();
    }
  }
}

// No 0, 1, i, l, o: they look alike.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const generatedLength = 20;

/** Returns a new password of 20 characters, with 99 random bits. */
export const newPassword = (): string =>
  Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)]).join('');
