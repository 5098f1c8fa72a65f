import { type FormulaFunction, functions } from './functions';
import { evaluationStepsMax, numberDigitsMax } from './limits';
import { canonicalName, metadataOperands, operands } from './operands';
import { operators } from './operators';
import { type FormulaProblem } from './problem';
import { type NameNode, type SwitchNode, type SyntaxNode } from './syntax-tree';
import { type ValueType } from './value';

/** Looks up the names of a tree and finds what no data could make right. */
class Check {
  first: FormulaProblem | null = null;
  steps = 0;

  private report(problem: FormulaProblem['problem'], message: string, { offset }: SyntaxNode): 'any' {
    this.first ??= { problem, message, offset };
    return 'any';
  }

  need(type: ValueType, node: SyntaxNode, owner: string): void {
    const actual = this.typeOf(node);
    if (type === 'any' || actual === 'any' || type === actual) return;
    // A text may spell a date; which one, only its reader knows.
    if (type === 'date' && actual === 'text') return;
    this.report('wrong_type', `${owner} a ${type}, not a ${actual}.`, node);
  }

  typeOf(node: SyntaxNode): ValueType {
    this.steps += 1;
    switch (node.kind) {
      case 'number':
        return node.digits.length > numberDigitsMax
          ? this.report('too_long', `A number may have at most ${numberDigitsMax} digits.`, node)
          : 'number';
      case 'text':
        return 'text';
      case 'negate':
        this.need('number', node.operand, '"-" needs');
        return 'number';
      case 'binary': {
        const operator = operators[node.operator];
        this.need(operator.left, node.left, `"${node.operator}" needs`);
        this.need(operator.right, node.right, `"${node.operator}" needs`);
        return operator.result;
      }
      case 'switch':
        return this.typeOfSwitch(node);
      case 'name':
        return this.typeOfName(node);
    }
  }

  private typeOfSwitch(node: SwitchNode): ValueType {
    this.typeOf(node.subject);
    for (const { value, result } of node.cases) {
      this.typeOf(value);
      this.typeOf(result);
    }
    this.typeOf(node.otherwise);
    return 'any';
  }

  private typeOfName(node: NameNode): ValueType {
    const name = canonicalName(node.name);
    const operand = operands.get(name);
    if (operand !== undefined) {
      return node.arguments.length === 0
        ? operand.type
        : this.report('wrong_arguments', `${node.name} takes nothing in brackets.`, node);
    }
    if (metadataOperands.has(name)) return this.typeOfMetadata(node);
    const called = functions.get(name);
    return called === undefined
      ? this.report('unknown_name', `There is no operand or function "${node.name}".`, node)
      : this.typeOfCall(node, called);
  }

  private typeOfMetadata(node: NameNode): ValueType {
    const [key, ...others] = node.arguments;
    const hasKey = key?.kind === 'text' && key.text !== '' && others.length === 0;
    return hasKey
      ? 'any'
      : this.report('wrong_arguments', `${node.name} takes a key in quotes: ${node.name}("key").`, node);
  }

  private typeOfCall(node: NameNode, called: FormulaFunction): ValueType {
    const { parameters, optional = 0, repeats = false, steps = 1, literal } = called;
    this.steps += steps - 1;
    const given = node.arguments;
    const least = parameters.length - optional;
    if (given.length < least || (given.length > parameters.length && !repeats)) {
      return this.report('wrong_arguments', wrongNumber(node, called, least), node);
    }
    given.forEach((argument, index) => {
      this.need(parameters[Math.min(index, parameters.length - 1)]!, argument, `${node.name} needs`);
      if (literal !== undefined && argument.kind === 'text' && literal.read(argument.text) === null) {
        this.report('wrong_arguments', `${node.name} needs ${literal.form}.`, argument);
      }
    });
    return called.result;
  }
}

const wrongNumber = (
  node: NameNode,
  { parameters, repeats = false }: FormulaFunction,
  least: number,
): string => {
  const most = parameters.length;
  const number = repeats ? `at least ${least}` : least === most ? String(most) : `${least} or ${most}`;
  const noun = most === 1 ? 'argument' : 'arguments';
  return `${node.name} takes ${number} ${noun}, not ${node.arguments.length}.`;
};

/** The first reason, if any, why a tree cannot be a formula whose result is a number. */
export const checkFormula = (tree: SyntaxNode): FormulaProblem | null => {
  const check = new Check();
  check.need('number', tree, 'A formula results in');
  if (check.first !== null || check.steps <= evaluationStepsMax) return check.first;
  const message = `A formula may take at most ${evaluationStepsMax} steps, not ${check.steps}.`;
  return { problem: 'too_long', message, offset: 0 };
};
