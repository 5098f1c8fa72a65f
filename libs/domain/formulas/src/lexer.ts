import { type IToken, Lexer, type TokenType, createToken } from 'chevrotain';
import { formulaLengthMax, nestingMax } from './limits';
import { type FormulaProblem } from './problem';

export const Name = createToken({
  name: 'Name',
  label: 'a name',
  pattern: /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*/,
});
export const NumberLiteral = createToken({
  name: 'NumberLiteral',
  label: 'a number',
  pattern: /\d+(?:\.\d+)?|\.\d+/,
});
export const TextLiteral = createToken({ name: 'TextLiteral', label: 'a text', pattern: /"[^"]*"/ });

const Space = createToken({ name: 'Space', pattern: /\s+/, group: Lexer.SKIPPED, line_breaks: true });

const group = (name: string): TokenType => createToken({ name, pattern: Lexer.NA });
export const LogicalOperator = group('LogicalOperator');
export const ComparisonOperator = group('ComparisonOperator');
export const ArithmeticOperator = group('ArithmeticOperator');
/** Comparisons that are functions as well. */
export const DateComparison = group('DateComparison');

const word = (text: string, ...categories: TokenType[]): TokenType =>
  createToken({ name: text, label: `"${text}"`, pattern: new RegExp(text), longer_alt: Name, categories });

const sign = (name: string, text: string, ...categories: TokenType[]): TokenType =>
  createToken({ name, label: `"${text}"`, pattern: text, categories });

export const SwitchCase = word('SWITCH_CASE');
export const Switch = word('SWITCH');
export const OpenBracket = sign('OpenBracket', '(');
export const CloseBracket = sign('CloseBracket', ')');
export const Semicolon = sign('Semicolon', ';');
export const Minus = sign('Minus', '-', ArithmeticOperator);

/** `x` with no letter, digit or point on either side: `2 x 3`, but not `2x3`. */
const Times = createToken({
  name: 'Times',
  label: '"x"',
  pattern: /(?<![A-Za-z0-9_.])x(?![A-Za-z0-9_.])/,
  start_chars_hint: ['x'],
  categories: [ArithmeticOperator],
});

// The first pattern that matches wins, so what begins like another one stands before it.
const tokenTypes = [
  Space,
  NumberLiteral,
  TextLiteral,
  OpenBracket,
  CloseBracket,
  Semicolon,
  Minus,
  sign('Plus', '+', ArithmeticOperator),
  sign('Star', '*', ArithmeticOperator),
  sign('Cross', '×', ArithmeticOperator),
  sign('Slash', '/', ArithmeticOperator),
  sign('Obelus', '÷', ArithmeticOperator),
  sign('Percent', '%', ArithmeticOperator),
  Times,
  sign('AtLeast', '>=', ComparisonOperator),
  sign('AtMost', '<=', ComparisonOperator),
  sign('Unequal', '!=', ComparisonOperator),
  sign('Above', '>', ComparisonOperator),
  sign('Below', '<', ComparisonOperator),
  sign('Equal', '=', ComparisonOperator),
  word('isNot', ComparisonOperator),
  word('is', ComparisonOperator),
  word('contains', ComparisonOperator),
  word('startsWith', ComparisonOperator),
  word('endsWith', ComparisonOperator),
  word('IN_ARRAY', ComparisonOperator),
  word('NOT_IN_ARRAY', ComparisonOperator),
  word('DATE_IS_NOT', ComparisonOperator, DateComparison),
  word('DATE_IS', ComparisonOperator, DateComparison),
  word('IS_AFTER', ComparisonOperator, DateComparison),
  word('IS_BEFORE', ComparisonOperator, DateComparison),
  word('AND', LogicalOperator),
  word('OR', LogicalOperator),
  SwitchCase,
  Switch,
  Name,
];

/** All tokens a parser has to know. */
export const vocabulary = [
  ...tokenTypes,
  LogicalOperator,
  ComparisonOperator,
  ArithmeticOperator,
  DateComparison,
];

const lexer = new Lexer(vocabulary, { positionTracking: 'onlyOffset', recoveryEnabled: false });

const tooDeep = (offset: number): FormulaProblem => ({
  problem: 'too_deep',
  message: `Brackets and signs may be nested at most ${nestingMax} deep.`,
  offset,
});

/** Found here and not by the parser, whose stack grows with the brackets. */
const nestingProblem = (tokens: readonly IToken[]): FormulaProblem | null => {
  let open = 0;
  let signs = 0;
  for (const { tokenType, startOffset } of tokens) {
    if (tokenType === OpenBracket) open += 1;
    else if (tokenType === CloseBracket) open -= 1;
    signs = tokenType === Minus ? signs + 1 : 0;
    if (open > nestingMax || signs > nestingMax) return tooDeep(startOffset);
  }
  return null;
};

/** The tokens of a formula; longer texts are not looked at. */
export const readTokens = (text: string): IToken[] | FormulaProblem => {
  if (text.length > formulaLengthMax) {
    return {
      problem: 'too_long',
      message: `A formula may have at most ${formulaLengthMax} characters.`,
      offset: formulaLengthMax,
    };
  }
  const { tokens, errors } = lexer.tokenize(text);
  const [error] = errors;
  if (error !== undefined) {
    const character = text.charAt(error.offset);
    const message =
      character === '"' ? 'The text that begins here has no closing quote.' : `Unexpected "${character}".`;
    return { problem: 'syntax', message, offset: error.offset };
  }
  return nestingProblem(tokens) ?? tokens;
};
