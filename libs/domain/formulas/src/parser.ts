import { type Token, type TokenKind, dateComparisons, readTokens } from './lexer';
import { type OperatorName, operators } from './operators';
import { type FormulaProblem } from './problem';
import {
  type BinaryNode,
  type NameNode,
  type SwitchCase,
  type SwitchNode,
  type SyntaxNode,
} from './syntax-tree';

const shownCharactersMax = 20;

const found = ({ kind, text }: Token): string => {
  if (kind === 'end of the formula') return kind;
  return `"${text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text}"`;
};

/** Ends the reading of a formula; `parseFormula` answers the problem. */
class NotInGrammar extends Error {
  constructor(
    message: string,
    readonly token: Token,
  ) {
    super(message);
  }
}

const unexpected = (token: Token): NotInGrammar => new NotInGrammar(`Unexpected ${found(token)}.`, token);

const binary = (operator: Token, left: SyntaxNode, right: SyntaxNode): BinaryNode => ({
  kind: 'binary',
  operator: operator.text as OperatorName,
  left,
  right,
  offset: left.offset,
});

/** Operands and the operators between them as a tree, the tighter ones further down, equals from left to right. */
const arrange = (operands: readonly SyntaxNode[], signs: readonly Token[]): SyntaxNode => {
  let next = 0;
  const climb = (left: SyntaxNode, loosest: number): SyntaxNode => {
    let tree = left;
    for (;;) {
      const sign = signs[next];
      const precedence = sign === undefined ? -1 : operators[sign.text as OperatorName].precedence;
      if (sign === undefined || precedence < loosest) return tree;
      next += 1;
      tree = binary(sign, tree, climb(operands[next]!, precedence + 1));
    }
  };
  return climb(operands[0]!, 0);
};

const isDateComparison = ({ text }: Token): boolean => dateComparisons.has(text);

const beginners: ReadonlySet<TokenKind> = new Set(['number', 'name', 'text', '(', 'SWITCH']);

const beginsOperand = (token: Token): boolean =>
  beginners.has(token.kind) || token.text === '-' || isDateComparison(token);

/** The grammar of reference 01 §8, a method for each of its lines; precedence among operators of one line is up to `arrange`.
 *  Comparisons do not follow one another. */
class FormulaReader {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  whole(): SyntaxNode {
    const tree = this.formula();
    if (this.next.kind !== 'end of the formula') throw unexpected(this.next);
    return tree;
  }

  private get next(): Token {
    return this.tokens[this.at]!;
  }

  private take(): Token {
    const token = this.next;
    this.at += 1;
    return token;
  }

  private expect(kind: '(' | ')' | ';' | 'SWITCH_CASE'): Token {
    if (this.next.kind !== kind)
      throw new NotInGrammar(`Expected "${kind}", not ${found(this.next)}.`, this.next);
    return this.take();
  }

  private formula(): SyntaxNode {
    return this.joined('logical operator', () => this.comparison());
  }

  private comparison(): SyntaxNode {
    const left = this.sum();
    if (this.next.kind !== 'comparison operator') return left;
    const operator = this.take();
    return binary(operator, left, this.sum());
  }

  private sum(): SyntaxNode {
    return this.joined('arithmetic operator', () => this.unary());
  }

  private joined(kind: TokenKind, operand: () => SyntaxNode): SyntaxNode {
    const operands = [operand()];
    const signs: Token[] = [];
    while (this.next.kind === kind) {
      signs.push(this.take());
      operands.push(operand());
    }
    return arrange(operands, signs);
  }

  private unary(): SyntaxNode {
    if (!beginsOperand(this.next)) throw unexpected(this.next);
    const token = this.take();
    const { kind, text, offset } = token;
    if (kind === 'number') return { kind, digits: text, offset };
    if (kind === 'text') return { kind, text: text.slice(1, -1), offset };
    if (kind === 'SWITCH') return this.switch(token);
    if (kind === '(') {
      const inner = this.formula();
      this.expect(')');
      return inner;
    }
    if (text === '-') return { kind: 'negate', operand: this.unary(), offset };
    const given = kind === 'name' && this.next.kind !== '(' ? [] : this.given();
    return { kind: 'name', name: text, arguments: given, offset } satisfies NameNode;
  }

  private given(): SyntaxNode[] {
    this.expect('(');
    const given: SyntaxNode[] = [];
    if (beginsOperand(this.next)) {
      given.push(this.formula());
      while (this.next.kind === ';') {
        this.take();
        given.push(this.formula());
      }
    }
    this.expect(')');
    return given;
  }

  private switch({ offset }: Token): SwitchNode {
    this.expect('(');
    const subject = this.formula();
    this.expect(';');
    const cases = [this.switchCase()];
    while (this.isAtCase()) {
      if (this.next.kind === ';') this.take();
      cases.push(this.switchCase());
    }
    this.expect(';');
    const otherwise = this.formula();
    this.expect(')');
    return { kind: 'switch', subject, cases, otherwise, offset };
  }

  private isAtCase(): boolean {
    const { kind } = this.next;
    return kind === 'SWITCH_CASE' || (kind === ';' && this.tokens[this.at + 1]!.kind === 'SWITCH_CASE');
  }

  private switchCase(): SwitchCase {
    this.expect('SWITCH_CASE');
    this.expect('(');
    const value = this.formula();
    this.expect(';');
    const result = this.formula();
    this.expect(')');
    return { value, result };
  }
}

/** The tree of a formula, its names not looked up. */
export const parseFormula = (text: string): SyntaxNode | FormulaProblem => {
  const tokens = readTokens(text);
  if (!Array.isArray(tokens)) return tokens;
  try {
    return new FormulaReader(tokens).whole();
  } catch (error) {
    if (!(error instanceof NotInGrammar)) throw error;
    return { problem: 'syntax', message: error.message, offset: error.token.offset };
  }
};
