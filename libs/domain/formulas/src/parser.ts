import {
  EOF,
  EmbeddedActionsParser,
  type IParserConfig,
  type IParserErrorMessageProvider,
  type IToken,
  type ParserMethod,
} from 'chevrotain';
import {
  ArithmeticOperator,
  CloseBracket,
  ComparisonOperator,
  DateComparison,
  LogicalOperator,
  Minus,
  Name,
  NumberLiteral,
  OpenBracket,
  Semicolon,
  Switch,
  SwitchCase as SwitchCaseWord,
  TextLiteral,
  readTokens,
  vocabulary,
} from './lexer';
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

const found = (token: IToken): string => {
  if (token.tokenType === EOF) return 'end of the formula';
  const { image } = token;
  return `"${image.length > shownCharactersMax ? `${image.slice(0, shownCharactersMax)}…` : image}"`;
};

const unexpected = (token: IToken): string => `Unexpected ${found(token)}.`;

const messages: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected, actual }) => `Expected ${expected.LABEL}, not ${found(actual)}.`,
  buildNotAllInputParsedMessage: ({ firstRedundant }) => unexpected(firstRedundant),
  buildNoViableAltMessage: ({ actual }) => unexpected(actual[0]!),
  buildEarlyExitMessage: ({ actual }) => unexpected(actual[0]!),
};

const binary = (operator: IToken, left: SyntaxNode, right: SyntaxNode): BinaryNode => ({
  kind: 'binary',
  operator: operator.image as OperatorName,
  left,
  right,
  offset: left.offset,
});

/** Operands and the operators between them as a tree, the tighter ones further down, equals from left to right. */
const arrange = (operands: readonly SyntaxNode[], signs: readonly IToken[]): SyntaxNode => {
  let next = 0;
  const climb = (left: SyntaxNode, loosest: number): SyntaxNode => {
    let tree = left;
    for (;;) {
      const sign = signs[next];
      const precedence = sign === undefined ? -1 : operators[sign.image as OperatorName].precedence;
      if (sign === undefined || precedence < loosest) return tree;
      next += 1;
      tree = binary(sign, tree, climb(operands[next]!, precedence + 1));
    }
  };
  return climb(operands[0]!, 0);
};

/** The grammar of reference 01 §8, a rule for each of its lines; precedence among operators of one rule is up to `arrange`.
 *  Comparisons do not follow one another. */
export class FormulaParser extends EmbeddedActionsParser {
  readonly formula: ParserMethod<[], SyntaxNode> = this.RULE('formula', (): SyntaxNode => {
    const first = this.SUBRULE(this.comparison);
    const operands = [first];
    const signs: IToken[] = [];
    this.MANY(() => {
      signs.push(this.CONSUME(LogicalOperator));
      operands.push(this.SUBRULE2(this.comparison));
    });
    return signs.length === 0 ? first : this.ACTION(() => arrange(operands, signs));
  });

  private readonly comparison: ParserMethod<[], SyntaxNode> = this.RULE('comparison', (): SyntaxNode => {
    const left = this.SUBRULE(this.sum);
    let tree = left;
    this.OPTION(() => {
      const operator = this.CONSUME(ComparisonOperator);
      tree = binary(operator, left, this.SUBRULE2(this.sum));
    });
    return tree;
  });

  private readonly sum: ParserMethod<[], SyntaxNode> = this.RULE('sum', (): SyntaxNode => {
    const first = this.SUBRULE(this.unary);
    const operands = [first];
    const signs: IToken[] = [];
    this.MANY(() => {
      signs.push(this.CONSUME(ArithmeticOperator));
      operands.push(this.SUBRULE2(this.unary));
    });
    return signs.length === 0 ? first : this.ACTION(() => arrange(operands, signs));
  });

  private readonly unary: ParserMethod<[], SyntaxNode> = this.RULE('unary', (): SyntaxNode =>
    this.OR([
      {
        ALT: () => {
          const { image, startOffset } = this.CONSUME(NumberLiteral);
          return { kind: 'number', digits: image, offset: startOffset };
        },
      },
      { ALT: () => this.SUBRULE(this.name) },
      {
        ALT: () => {
          const { image, startOffset } = this.CONSUME(TextLiteral);
          return { kind: 'text', text: image.slice(1, -1), offset: startOffset };
        },
      },
      {
        ALT: () => {
          this.CONSUME(OpenBracket);
          const inner = this.SUBRULE(this.formula);
          this.CONSUME(CloseBracket);
          return inner;
        },
      },
      {
        ALT: () => {
          const { startOffset } = this.CONSUME(Minus);
          return { kind: 'negate', operand: this.SUBRULE(this.unary), offset: startOffset };
        },
      },
      { ALT: () => this.SUBRULE(this.switch) },
      { ALT: () => this.SUBRULE(this.dateComparison) },
    ]),
  );

  private readonly name: ParserMethod<[], NameNode> = this.RULE('name', (): NameNode => {
    const { image, startOffset } = this.CONSUME(Name);
    const given: SyntaxNode[] = [];
    this.OPTION(() => {
      this.CONSUME(OpenBracket);
      this.MANY_SEP({ SEP: Semicolon, DEF: () => given.push(this.SUBRULE(this.formula)) });
      this.CONSUME(CloseBracket);
    });
    return { kind: 'name', name: image, arguments: given, offset: startOffset };
  });

  private readonly dateComparison: ParserMethod<[], NameNode> = this.RULE('dateComparison', (): NameNode => {
    const { image, startOffset } = this.CONSUME(DateComparison);
    const given: SyntaxNode[] = [];
    this.CONSUME(OpenBracket);
    this.MANY_SEP({ SEP: Semicolon, DEF: () => given.push(this.SUBRULE(this.formula)) });
    this.CONSUME(CloseBracket);
    return { kind: 'name', name: image, arguments: given, offset: startOffset };
  });

  private readonly switch: ParserMethod<[], SwitchNode> = this.RULE('switch', (): SwitchNode => {
    const { startOffset } = this.CONSUME(Switch);
    const cases: SwitchCase[] = [];
    this.CONSUME(OpenBracket);
    const subject = this.SUBRULE(this.formula);
    this.CONSUME(Semicolon);
    cases.push(this.SUBRULE(this.switchCase));
    this.MANY(() => {
      this.OPTION(() => this.CONSUME2(Semicolon));
      cases.push(this.SUBRULE2(this.switchCase));
    });
    this.CONSUME3(Semicolon);
    const otherwise = this.SUBRULE2(this.formula);
    this.CONSUME(CloseBracket);
    return { kind: 'switch', subject, cases, otherwise, offset: startOffset };
  });

  private readonly switchCase: ParserMethod<[], SwitchCase> = this.RULE('switchCase', (): SwitchCase => {
    this.CONSUME(SwitchCaseWord);
    this.CONSUME(OpenBracket);
    const value = this.SUBRULE(this.formula);
    this.CONSUME(Semicolon);
    const result = this.SUBRULE2(this.formula);
    this.CONSUME(CloseBracket);
    return { value, result };
  });

  constructor(config: IParserConfig = {}) {
    super(vocabulary, { maxLookahead: 2, errorMessageProvider: messages, ...config });
    this.performSelfAnalysis();
  }
}

let made: FormulaParser | undefined;

/** Made for the first formula: it takes 50 ms, and many processes read none. The grammar
 *  does not change at run time; a spec checks it. */
const formulaParser = (): FormulaParser => (made ??= new FormulaParser({ skipValidations: true }));

/** The tree of a formula, its names not looked up. */
export const parseFormula = (text: string): SyntaxNode | FormulaProblem => {
  const tokens = readTokens(text);
  if (!Array.isArray(tokens)) return tokens;
  const parser = formulaParser();
  parser.input = tokens;
  const tree = parser.formula();
  const [error] = parser.errors;
  if (error === undefined) return tree;
  const { startOffset, tokenType } = error.token;
  return { problem: 'syntax', message: error.message, offset: tokenType === EOF ? text.length : startOffset };
};
