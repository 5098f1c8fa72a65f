import type { CodeSpace } from './code-space';

/** A code and the form in which it must be unique. */
export interface CandidateCode {
  code: string;
  key: string;
}

/** Which of these keys exist in the project already. */
export type TakenKeys = (keys: string[]) => Promise<ReadonlySet<string>>;

export interface FreeCodes {
  space: CodeSpace;
  keyOf: (code: string) => string;
  takenKeys: TakenKeys;
}

/** Spaces so small that looking at every code costs less than guessing. */
const smallSpace = 50_000n;
/** Random tries are wasteful when fewer than one in four hits a free code. */
const leastYield = 0.25;
const walkBlock = 5_000;

const guess = async ({ space, keyOf, takenKeys }: FreeCodes, count: number): Promise<CandidateCode[]> => {
  const guesses = new Map<string, string>();
  for (let tries = 0; guesses.size < count && tries < count * 2; tries += 1) {
    const code = space.random();
    guesses.set(keyOf(code), code);
  }
  const taken = await takenKeys([...guesses.keys()]);
  return [...guesses].filter(([key]) => !taken.has(key)).map(([key, code]) => ({ key, code }));
};

const enumerate = async ({ space, keyOf, takenKeys }: FreeCodes, count: number): Promise<CandidateCode[]> => {
  const walk = space.walk();
  const found: CandidateCode[] = [];
  const keys = new Set<string>();
  while (walk && found.length < count) {
    const block: CandidateCode[] = [];
    for (let next = walk.next(); !next.done; next = walk.next()) {
      if (block.push({ code: next.value, key: keyOf(next.value) }) === walkBlock) break;
    }
    if (block.length === 0) break;
    const taken = await takenKeys(block.map(({ key }) => key));
    for (const candidate of block) {
      if (found.length === count) break;
      if (taken.has(candidate.key) || keys.has(candidate.key)) continue;
      keys.add(candidate.key);
      found.push(candidate);
    }
  }
  return found;
};

/** Up to `count` different free codes; fewer only when no more are free. Guesses at first; where that
 *  becomes wasteful, looks at every code. Another call may take a code before it is stored.
 *  Source: reference 04 §3. */
export const findFreeCodes = async (codes: FreeCodes, count: number): Promise<CandidateCode[]> => {
  if (codes.space.capacity <= smallSpace) return enumerate(codes, count);
  const guessed = await guess(codes, count);
  return guessed.length >= Math.max(1, count * leastYield) ? guessed : enumerate(codes, count);
};
