import { type OperatorName } from './operators';

interface At {
  /** Where it begins in the text. */
  readonly offset: number;
}

export interface NumberNode extends At {
  readonly kind: 'number';
  readonly digits: string;
}

export interface TextNode extends At {
  readonly kind: 'text';
  readonly text: string;
}

export interface NegateNode extends At {
  readonly kind: 'negate';
  readonly operand: SyntaxNode;
}

export interface BinaryNode extends At {
  readonly kind: 'binary';
  readonly operator: OperatorName;
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
}

/** An operand, a metadata accessor or a function, as written: `MONTH(TODAY)`, `TODAY`, `TODAY()`. */
export interface NameNode extends At {
  readonly kind: 'name';
  readonly name: string;
  readonly arguments: readonly SyntaxNode[];
}

export interface SwitchCase {
  readonly value: SyntaxNode;
  readonly result: SyntaxNode;
}

export interface SwitchNode extends At {
  readonly kind: 'switch';
  readonly subject: SyntaxNode;
  readonly cases: readonly SwitchCase[];
  readonly otherwise: SyntaxNode;
}

export type SyntaxNode = NumberNode | TextNode | NegateNode | BinaryNode | NameNode | SwitchNode;
