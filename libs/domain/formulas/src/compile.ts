import { functions } from './functions';
import { metadataReader } from './metadata';
import { FormulaNumber } from './numbers';
import { canonicalName, metadataOperands, operands } from './operands';
import { operators } from './operators';
import { type NameNode, type SwitchNode, type SyntaxNode } from './syntax-tree';
import { type Evaluate, numberOf, sameValue } from './value';

/** What was met on the way. */
export interface Usage {
  readonly operands: Set<string>;
  readsLine: boolean;
}

const compileSwitch = (node: SwitchNode, usage: Usage): Evaluate => {
  const subject = compileTree(node.subject, usage);
  const cases = node.cases.map(({ value, result }) => ({
    value: compileTree(value, usage),
    result: compileTree(result, usage),
  }));
  const otherwise = compileTree(node.otherwise, usage);
  return (context) => {
    const looked = subject(context);
    if (looked === null) return null;
    for (const { value, result } of cases) {
      const wanted = value(context);
      if (wanted === null) return null;
      if (sameValue(looked, wanted, context.timezone)) return result(context);
    }
    return otherwise(context);
  };
};

const compileName = (node: NameNode, usage: Usage): Evaluate => {
  const name = canonicalName(node.name);
  const [first] = node.arguments;
  const operand = operands.get(name) ?? metadataOperands.get(name);
  if (operand !== undefined) {
    usage.operands.add(name);
    usage.readsLine ||= operand.readsLine;
    if ('read' in operand) return operand.read;
    const readKey = metadataReader(first?.kind === 'text' ? first.text : '');
    return (context) => readKey(operand.metadata(context));
  }
  const called = functions.get(name)!;
  if (called.literal !== undefined && first?.kind === 'text') {
    const value = called.literal.read(first.text);
    return () => value;
  }
  return called.build(node.arguments.map((argument) => compileTree(argument, usage)));
};

/** A checked tree as one closure; no names are looked up when it runs. */
export const compileTree = (node: SyntaxNode, usage: Usage): Evaluate => {
  switch (node.kind) {
    case 'number': {
      const value = new FormulaNumber(node.digits);
      return () => value;
    }
    case 'text': {
      const { text } = node;
      return () => text;
    }
    case 'negate': {
      const operand = compileTree(node.operand, usage);
      return (context) => numberOf(operand(context))?.negated() ?? null;
    }
    case 'binary':
      return operators[node.operator].build(compileTree(node.left, usage), compileTree(node.right, usage));
    case 'switch':
      return compileSwitch(node, usage);
    case 'name':
      return compileName(node, usage);
  }
};
