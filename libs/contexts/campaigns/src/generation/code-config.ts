import type { CodeConfig } from '@scrip/contracts/campaigns';
import { refuse } from '@scrip/kernel';
import type { CampaignsRefusal } from '../campaigns.refusals';

/** How codes are wanted, as callers send it. */
export interface CodeConfigInput {
  length?: number | undefined;
  charset?: string | undefined;
  prefix?: string | undefined;
  postfix?: string | undefined;
  pattern?: string | undefined;
}

const alphanumeric = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const defaultLength = 8;

/** Longest code in characters; what fits an index entry. */
export const codeLengthMax = 512;

/** Refuses `invalid_payload` for a code that a caller gives and that is too long. */
export const codeMustFit = (code: string): CampaignsRefusal | null =>
  code.length > codeLengthMax
    ? refuse('invalid_payload', `Property .code should NOT be longer than ${codeLengthMax} characters`)
    : null;

/** How codes are compared within a project. Source: reference 04 §3. */
export const foldCode = (code: string, caseSensitive: boolean): string =>
  caseSensitive ? code : code.toLowerCase();

/** Positions of a pattern that are filled at random. */
export const placeholdersIn = (pattern: string): number => pattern.split('#').length - 1;

/** The characters to choose from, each once; where cases do not count, the first spelling of each. */
export const alphabetOf = (charset: string, caseSensitive: boolean): string[] => {
  const byKey = new Map<string, string>();
  for (const character of charset) {
    const key = foldCode(character, caseSensitive);
    if (!byKey.has(key)) byKey.set(key, character);
  }
  return [...byKey.values()];
};

/** Number of different codes a configuration can make. */
export const capacityOf = ({ charset, pattern }: CodeConfig, caseSensitive: boolean): bigint =>
  BigInt(alphabetOf(charset, caseSensitive).length) ** BigInt(placeholdersIn(pattern));

const lengthOf = (text: string): number => [...text].length;

/** The configuration as it is stored: `pattern` decides over `length`, which becomes its number of `#`. Refuses
 *  `invalid_code_config` for codes that would be empty or longer than `codeLengthMax`. Source: reference 04 §3. */
export const resolveCodeConfig = (
  input: CodeConfigInput,
  projectCharset?: string,
): CodeConfig | CampaignsRefusal => {
  const pattern = input.pattern || '#'.repeat(Math.min(input.length ?? defaultLength, codeLengthMax + 1));
  const config: CodeConfig = {
    length: placeholdersIn(pattern),
    charset: input.charset || projectCharset || alphanumeric,
    pattern,
    prefix: input.prefix ?? '',
    postfix: input.postfix ?? '',
  };
  const codeLength = lengthOf(config.prefix + pattern + config.postfix);
  return codeLength < 1 || codeLength > codeLengthMax
    ? refuse('invalid_code_config', `Codes must have 1 to ${codeLengthMax} characters.`)
    : config;
};

/** Refuses `invalid_code_config` when fewer than `count` different codes exist. Source: reference 04 §3. */
export const capacityMustSuffice = (
  config: CodeConfig,
  count: number,
  caseSensitive: boolean,
): CampaignsRefusal | null => {
  const capacity = capacityOf(config, caseSensitive);
  return capacity < BigInt(count)
    ? refuse(
        'invalid_code_config',
        `The code configuration allows ${capacity} different codes, fewer than the ${count} requested.`,
      )
    : null;
};
