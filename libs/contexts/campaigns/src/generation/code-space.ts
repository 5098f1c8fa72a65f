import type { CodeConfig } from '@scrip/contracts/campaigns';
import { alphabetOf, capacityOf } from './code-config';
import type { RandomIndex } from './random-indexes';

/** All codes of one configuration. */
export interface CodeSpace {
  readonly capacity: bigint;
  /** One code, each equally likely. */
  random(): string;
  /** Every code once, in an order that begins and strides at random; undefined where the space is too large to be
   *  walked. */
  walk(): Generator<string> | undefined;
}

/** Spaces beyond this are practically never full, and never walked. */
const walkableMax = 2n ** 48n;

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);

/** Fills the placeholders of a pattern with the letters that `next` gives. */
const expander = ({ pattern, prefix, postfix }: CodeConfig) => {
  const literals = pattern.split('#');
  return (next: () => string): string => {
    let code = prefix + (literals[0] ?? '');
    for (let index = 1; index < literals.length; index += 1) code += next() + (literals[index] ?? '');
    return code + postfix;
  };
};

/** The codes that `config` allows. Source: reference 04 §3. */
export const codeSpace = (
  config: CodeConfig,
  caseSensitive: boolean,
  randomIndex: RandomIndex,
): CodeSpace => {
  const alphabet = alphabetOf(config.charset, caseSensitive);
  const capacity = capacityOf(config, caseSensitive);
  const expand = expander(config);
  const random = (): string => expand(() => alphabet[randomIndex(alphabet.length)] ?? '');
  const at = (index: number): string => {
    let rest = index;
    return expand(() => {
      const letter = alphabet[rest % alphabet.length] ?? '';
      rest = Math.floor(rest / alphabet.length);
      return letter;
    });
  };

  function* walkAll(size: number): Generator<string> {
    let stride = randomIndex(size) || 1;
    // A stride without a common factor visits every index before it comes back.
    while (greatestCommonDivisor(stride, size) !== 1) stride = (stride % size) + 1;
    let index = randomIndex(size);
    for (let visited = 0; visited < size; visited += 1) {
      yield at(index);
      index = (index + stride) % size;
    }
  }

  return {
    capacity,
    random,
    walk: () => (capacity > 0n && capacity <= walkableMax ? walkAll(Number(capacity)) : undefined),
  };
};
