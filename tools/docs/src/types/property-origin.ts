import ts from 'typescript';

const initializerOf = (declaration: ts.Declaration): ts.Expression | undefined =>
  ts.isPropertyAssignment(declaration) ? declaration.initializer : undefined;

/** Where a property of a rendered object was copied from: `id: campaign.id` leads to the `id` of the campaign. */
const copiedFrom = (checker: ts.TypeChecker, property: ts.Symbol): ts.Symbol | undefined => {
  const [declaration] = property.declarations ?? [];
  const initializer = declaration && initializerOf(declaration);
  return initializer && ts.isPropertyAccessExpression(initializer)
    ? checker.getSymbolAtLocation(initializer.name)
    : undefined;
};

/** What the docstring of a property says, or that of the property it is a copy of. */
export const meaningOf = (checker: ts.TypeChecker, property: ts.Symbol): string => {
  const own = ts.displayPartsToString(property.getDocumentationComment(checker));
  if (own !== '') return own.replace(/\s+/g, ' ');
  const origin = copiedFrom(checker, property);
  return origin ? meaningOf(checker, origin) : '';
};

const mentions = (alias: string, declaration: ts.Declaration): boolean =>
  ts.isPropertySignature(declaration) && new RegExp(`\\b${alias}\\b`).test(declaration.type?.getText() ?? '');

/** Whether the declaration of a property names `alias`, a type that the checker knows as text or number only. */
export const isDeclaredAs = (alias: string, checker: ts.TypeChecker, property: ts.Symbol): boolean => {
  if (property.declarations?.some((declaration) => mentions(alias, declaration))) return true;
  const origin = copiedFrom(checker, property);
  return origin ? isDeclaredAs(alias, checker, origin) : false;
};
