import { Fault } from '@scrip/kernel';
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

/** Hashes at a time: each takes 128 MiB at the usual cost. */
const atOnce = 2;
/** Calls that wait for their turn; more than these would not be answered in time. */
const waitingMax = 20;

/** Whether a password is the one, and whether its hash should be made anew. */
export interface PasswordVerdict {
  isRight: boolean;
  /** The parameters have risen since it was hashed. */
  isOutdated: boolean;
}

/** Hashes of passwords: scrypt with r 8 and p 1, as PHC texts. Source: RFC 7914; reference 07 §2.4. */
export class PasswordHashes {
  private readonly parameters: Parameters;
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  /** `cost`: the base-2 logarithm of N; 17 takes 128 MiB and some 0.4 s. */
  constructor(cost: number) {
    this.parameters = { ln: cost, r: 8, p: 1 };
  }

  /** Throws `Fault` (503) where too many wait. */
  async hash(password: string): Promise<string> {
    const { ln, r, p } = this.parameters;
    const salt = randomBytes(saltBytes);
    const hash = await this.inTurn(() => hashWith(password, salt, this.parameters));
    return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`;
  }

  /** Takes as long where there is no hash (`stored` null), and is false then. Throws `Fault` (503) where too many wait. */
  async verify(password: string, stored: string | null): Promise<PasswordVerdict> {
    const known = stored === null ? null : readPhc(stored);
    const { parameters, salt, hash } = known ?? {
      parameters: this.parameters,
      salt: Buffer.alloc(saltBytes),
      hash: Buffer.alloc(hashBytes),
    };
    const made = await this.inTurn(() => hashWith(password, salt, parameters));
    const isRight = timingSafeEqual(made, hash) && known !== null;
    const { ln, r, p } = this.parameters;
    return { isRight, isOutdated: parameters.ln < ln || parameters.r < r || parameters.p < p };
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= atOnce) {
      if (this.waiting.length >= waitingMax)
        throw new Fault('overloaded', 'too many passwords are being checked');
      await new Promise<void>((begin) => this.waiting.push(begin));
    } else {
      this.running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

// No 0, 1, i, l, o: they look alike.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const generatedLength = 20;

/** Returns a new password of 20 characters, with 99 random bits. */
export const newPassword = (): string =>
  Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)]).join('');
