import { formulaLengthMax, nestingMax } from './limits';
import { type FormulaProblem } from './problem';

/** What a part of a formula is. Comparisons of dates are functions as well, a minus sign stands before operands too: parsers tell
 *  these by their text. */
export type TokenKind =
  | 'number'
  | 'text'
  | 'name'
  | 'logical operator'
  | 'comparison operator'
  | 'arithmetic operator'
  | '('
  | ')'
  | ';'
  | 'SWITCH'
  | 'SWITCH_CASE'
  | 'end of the formula';

/** A part of a formula, as written. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Where it begins. */
  readonly offset: number;
}

/** Comparisons that are functions as well. */
export const dateComparisons: ReadonlySet<string> = new Set([
  'DATE_IS_NOT',
  'DATE_IS',
  'IS_AFTER',
  'IS_BEFORE',
]);

const comparisons = [
  ...['>=', '<=', '!=', '>', '<', '='],
  ...['isNot', 'is', 'contains', 'startsWith', 'endsWith', 'IN_ARRAY', 'NOT_IN_ARRAY'],
  ...dateComparisons,
];

const kinds = new Map<string, TokenKind>([
  ...comparisons.map((text) => [text, 'comparison operator'] as const),
  ...['-', '+', '*', '×', '/', '÷', '%'].map((text) => [text, 'arithmetic operator'] as const),
  ...['AND', 'OR'].map((text) => [text, 'logical operator'] as const),
  ...(['(', ')', ';', 'SWITCH', 'SWITCH_CASE'] as const).map((text) => [text, text] as const),
]);

/** `x` with no letter, digit or point on either side: `2 x 3`, but not `2x3`. */
const times = '(?<![A-Za-z0-9_.])x(?![A-Za-z0-9_.])';

// The first one that matches wins; blanks have no name. A name reaches as far as it can: words of the grammar are whole names.
const part = new RegExp(
  [
    String.raw`\s+`,
    String.raw`(?<number>\d+(?:\.\d+)?|\.\d+)`,
    '(?<text>"[^"]*")',
    `(?<times>${times})`,
    String.raw`(?<sign>>=|<=|!=|[-();+*×/÷%><=])`,
    String.raw`(?<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)`,
  ].join('|'),
  'y',
);

const kindOf = ({ number, text, times: isTimes, sign, name }: Record<string, string>): TokenKind | null => {
  if (number !== undefined) return 'number';
  if (text !== undefined) return 'text';
  if (isTimes !== undefined) return 'arithmetic operator';
  return kinds.get(sign ?? name ?? '') ?? (name === undefined ? null : 'name');
};

const tooDeep = (offset: number): FormulaProblem => ({
  problem: 'too_deep',
  message: `Brackets and signs may be nested at most ${nestingMax} deep.`,
  offset,
});

/** Found here and not by the parser, whose stack grows with the brackets. */
const nestingProblem = (tokens: readonly Token[]): FormulaProblem | null => {
  let open = 0;
  let signs = 0;
  for (const { kind, text, offset } of tokens) {
    if (kind === '(') open += 1;
    else if (kind === ')') open -= 1;
    signs = text === '-' ? signs + 1 : 0;
    if (open > nestingMax || signs > nestingMax) return tooDeep(offset);
  }
  return null;
};

const unreadable = (character: string, offset: number): FormulaProblem => ({
  problem: 'syntax',
  message:
    character === '"' ? 'The text that begins here has no closing quote.' : `Unexpected "${character}".`,
  offset,
});

/** The tokens of a formula, the last one its end; longer texts are not looked at. */
export const readTokens = (text: string): Token[] | FormulaProblem => {
  if (text.length > formulaLengthMax) {
    return {
      problem: 'too_long',
      message: `A formula may have at most ${formulaLengthMax} characters.`,
      offset: formulaLengthMax,
    };
  }
  const tokens: Token[] = [];
  for (let offset = 0; offset < text.length; offset = part.lastIndex) {
    part.lastIndex = offset;
    const match = part.exec(text);
    if (!match) return unreadable(text.charAt(offset), offset);
    const kind = kindOf(match.groups as Record<string, string>);
    if (kind) tokens.push({ kind, text: match[0], offset });
  }
  tokens.push({ kind: 'end of the formula', text: '', offset: text.length });
  return nestingProblem(tokens) ?? tokens;
};
