import { Lexer, createToken } from 'chevrotain';
import type { ConditionProblem } from '../conditions/conditions';

/** A rule's key, or expressions of which all or some must be true. Flattened: no AND within an AND. */
export type Logic = string | { readonly join: 'and' | 'or'; readonly parts: readonly Logic[] };

/** Longest logic that is read. Source: reference 02 §11. */
export const logicCharactersMax = 2_000;

const blank = createToken({ name: 'Blank', pattern: /\s+/, group: Lexer.SKIPPED });
const and = createToken({ name: 'And', pattern: /and/i });
const or = createToken({ name: 'Or', pattern: /or/i });
const ruleKey = createToken({ name: 'Key', pattern: /[1-9]\d*/ });
const open = createToken({ name: 'Open', pattern: '(' });
const close = createToken({ name: 'Close', pattern: ')' });
const lexer = new Lexer([blank, and, or, ruleKey, open, close], { positionTracking: 'onlyOffset' });

const unexpected = (text: string, offset: number): ConditionProblem => ({
  problem: `Logic has an unexpected '${text}' at position ${offset + 1}`,
});

const joined = (join: 'and' | 'or', parts: readonly Logic[]): Logic => {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const flat: Logic[] = [];
  for (const part of parts) {
    if (typeof part === 'object' && part.join === join) for (const inner of part.parts) flat.push(inner);
    else flat.push(part);
  }
  return { join, parts: flat };
};

/** An expression being read: alternatives that are complete, and the factors of the one that is not. */
class OpenExpression {
  private readonly alternatives: Logic[] = [];
  private factors: Logic[] = [];

  add(factor: Logic): void {
    this.factors.push(factor);
  }

  beginAlternative(): void {
    this.alternatives.push(joined('and', this.factors));
    this.factors = [];
  }

  complete(): Logic {
    this.beginAlternative();
    return joined('or', this.alternatives);
  }
}

/** How the rules `keys` (ascending) combine by `text`; no text joins all by AND, null restricts nothing.
 *  Brackets are kept in a list instead of calls: as many as fit in may be nested. Source: reference 02 §1.1. */
export const parseLogic = (text: string, keys: readonly string[]): Logic | null | ConditionProblem => {
  if (text.length > logicCharactersMax) {
    return { problem: `Logic must not have more than ${logicCharactersMax} characters` };
  }
  const { tokens, errors } = lexer.tokenize(text);
  const [error] = errors;
  if (error) return unexpected(text.charAt(error.offset), error.offset);
  if (tokens.length === 0) return keys.length === 0 ? null : joined('and', keys);

  const defined = new Set(keys);
  const outer: OpenExpression[] = [];
  let current = new OpenExpression();
  let wantsFactor = true;
  for (const { tokenType, image, startOffset } of tokens) {
    const belongsHere =
      tokenType === ruleKey || tokenType === open
        ? wantsFactor
        : !wantsFactor && (tokenType !== close || outer.length > 0);
    if (!belongsHere) return unexpected(image, startOffset);
    if (tokenType === open) {
      outer.push(current);
      current = new OpenExpression();
    } else if (tokenType === close) {
      const group = current.complete();
      current = outer.pop()!;
      current.add(group);
    } else if (tokenType === ruleKey) {
      if (!defined.has(image)) return { problem: `Logic names rule '${image}', which is not defined` };
      current.add(image);
      wantsFactor = false;
    } else {
      if (tokenType === or) current.beginAlternative();
      wantsFactor = true;
    }
  }
  if (wantsFactor) return { problem: 'Logic ends too early' };
  if (outer.length > 0) return { problem: 'Logic has an unclosed bracket' };
  return current.complete();
};

/** The keys among `ascending` that a logic names. */
export const keysNamed = (logic: Logic | null, ascending: readonly string[]): string[] => {
  const named = new Set<string>();
  const visit = (part: Logic): void => {
    if (typeof part === 'string') named.add(part);
    else part.parts.forEach(visit);
  };
  if (logic !== null) visit(logic);
  return ascending.filter((key) => named.has(key));
};
