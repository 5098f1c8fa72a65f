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

const mentionsInstant = (declaration: ts.Declaration): boolean =>
  ts.isPropertySignature(declaration) && /\bInstant\b/.test(declaration.type?.getText() ?? '');

/** Whether a property is declared as `Instant`, which the checker knows as text only. */
export const isInstant = (checker: ts.TypeChecker, property: ts.Symbol): boolean => {
  if (property.declarations?.some(mentionsInstant)) return true;
  const origin = copiedFrom(checker, property);
  return origin ? isInstant(checker, origin) : false;
};
