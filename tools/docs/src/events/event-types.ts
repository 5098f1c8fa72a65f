import type { JsonSchema } from '@scrip/edge';
import ts from 'typescript';
import { exportedTypes, filesUnder, sourceProgram } from '../types/source-program';
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

/** The members of a union; a union of one member is that member. */
const membersOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

const isUnionOfEvents = (name: string, type: ts.Type, checker: ts.TypeChecker): boolean =>
  name.endsWith('Event') &&
  membersOf(type).every(
    (one) => checker.getPropertyOfType(one, 'type') && checker.getPropertyOfType(one, 'data'),
  );

const contractFiles = (): string[] => filesUnder('libs/shared/contracts/src', /\.events\.ts$/);

/** What names the shapes: the entries of `contracts`. */
const contractEntries = (): string[] => filesUnder('libs/shared/contracts/src', /^(index|snapshot)\.ts$/);

/** Reads the events that `files` declare (by default those of `contracts`) with the type checker: names, docstrings and
 *  shapes. Throws `Error` for an event without a literal type. */
export const readEventTypes = (files: readonly string[] = contractFiles()): EventTypes => {
  const program = sourceProgram([...new Set([...files, ...contractEntries()])]);
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
    if (!isUnionOfEvents(name, type, checker)) continue;
    const meaning = docstringOf(symbol, checker);
    unions.set(name, { meaning, events: membersOf(type).map(eventOf) });
  }
  return { unions, shapes: schemas.definitions };
};
