import type { JsonSchema } from '@scrip/edge';
import { join } from 'node:path';
import ts from 'typescript';
import { exportedTypes, filesUnder, repositoryRoot, sourceProgram } from '../types/source-program';
import { TypeSchemas } from '../types/type-schemas';

/** An event as its type tells it. */
export interface EventType {
  name: string;
  meaning: string;
  /** Of `data`; references are names of shapes. */
  data: JsonSchema;
}

/** The events of a topic. */
export interface EventUnion {
  meaning: string;
  events: EventType[];
}

/** All unions of events in `contracts`, and the shapes that their data are made from. */
export interface EventTypes {
  unions: ReadonlyMap<string, EventUnion>;
  shapes: Readonly<Record<string, JsonSchema>>;
}

const docstringOf = (symbol: ts.Symbol, checker: ts.TypeChecker): string =>
  ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replace(/\s+/g, ' ')
    .replace(/\s*Source: .*$/, '');

const propertyType = (type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type => {
  const property = checker.getPropertyOfType(type, name);
  if (!property) throw new Error(`${checker.typeToString(type)} has no ${name}`);
  return checker.getTypeOfSymbol(property);
};

const isUnionOfEvents = (name: string, type: ts.Type, checker: ts.TypeChecker): boolean =>
  name.endsWith('Event') &&
  type.isUnion() &&
  type.types.every((one) => checker.getPropertyOfType(one, 'type') && checker.getPropertyOfType(one, 'data'));

/** Reads `*.events.ts` of `contracts` with the type checker: names, docstrings and shapes. */
export const readEventTypes = (): EventTypes => {
  const files = filesUnder('libs/contracts/src', /\.events\.ts$/);
  const program = sourceProgram([...files, join(repositoryRoot, 'libs/contracts/src/index.ts')]);
  const checker = program.getTypeChecker();
  const schemas = new TypeSchemas(checker, '');
  const eventOf = (type: ts.Type): EventType => {
    const name = propertyType(type, 'type', checker);
    if (!name.isStringLiteral()) throw new Error(`${checker.typeToString(type)} has no literal type`);
    const symbol = type.getSymbol();
    const meaning = symbol ? docstringOf(symbol, checker) : '';
    return { name: name.value, meaning, data: schemas.written(propertyType(type, 'data', checker)) };
  };
  const unions = new Map<string, EventUnion>();
  for (const [name, { symbol, type }] of exportedTypes(program, files)) {
    if (!type.isUnion() || !isUnionOfEvents(name, type, checker)) continue;
    const meaning = docstringOf(symbol, checker);
    unions.set(name, { meaning, events: type.types.map(eventOf) });
  }
  return { unions, shapes: schemas.definitions };
};
