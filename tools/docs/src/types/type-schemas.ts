import { type JsonSchema, orNull } from '@scrip/edge';
import ts from 'typescript';
import { isTagged, mergedObject } from './object-union';
import { isDeclaredAs, meaningOf } from './property-origin';

const primitives: readonly (readonly [ts.TypeFlags, JsonSchema])[] = [
  [ts.TypeFlags.Any | ts.TypeFlags.Unknown, {}],
  [ts.TypeFlags.Null, { type: 'null' }],
  [ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral, { type: 'string' }],
  // Amounts, points and counts. What is no integer is declared as `Percentage`.
  [ts.TypeFlags.Number, { type: 'integer' }],
  [ts.TypeFlags.Boolean, { type: 'boolean' }],
  [ts.TypeFlags.NonPrimitive, { type: 'object', additionalProperties: true }],
];

const isOurs = (symbol: ts.Symbol | undefined): symbol is ts.Symbol =>
  symbol?.declarations?.some((declaration) =>
    /\/libs\/[^/]+\/[^/]+\/src\//.test(declaration.getSourceFile().fileName),
  ) ?? false;

/** As the source lists them, the object with the id first: the checker has spread objects in another order. */
const inSourceOrder = (properties: readonly ts.Symbol[]): ts.Symbol[] => {
  const groups = new Map<unknown, ts.Symbol[]>();
  for (const property of properties) {
    const { parent } = property.declarations?.[0] ?? {};
    groups.set(parent, [...(groups.get(parent) ?? []), property]);
  }
  const positionOf = ({ declarations }: ts.Symbol): number => declarations?.[0]?.pos ?? 0;
  const isIdentity = (group: readonly ts.Symbol[]): boolean =>
    group.some((property) => property.getName() === 'id');
  return [...groups.values()]
    .sort((left, right) => Number(isIdentity(right)) - Number(isIdentity(left)))
    .flatMap((group) => group.sort((left, right) => positionOf(left) - positionOf(right)));
};

/** Schemas of TypeScript types. Named types become definitions, which others refer to. */
export class TypeSchemas {
  /** Definitions so far, by type name. */
  readonly definitions: Record<string, JsonSchema> = {};
  private readonly names = new Map<ts.Type, string>();

  /** `prefix`: what references begin with. `roots`: types that are known by these names whatever they are made from. */
  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly prefix: string,
    roots: ReadonlyMap<string, { type: ts.Type }> = new Map(),
  ) {
    for (const [name, { type }] of roots) if (!this.names.has(type)) this.names.set(type, name);
  }

  /** A reference to the definition of a type with a name, else its schema. */
  of(type: ts.Type): JsonSchema {
    const name = this.nameOf(type);
    if (name === null) return this.written(type);
    if (!this.definitions[name]) {
      this.definitions[name] = {};
      this.definitions[name] = { ...this.described(type), ...this.written(type) };
    }
    return { $ref: `${this.prefix}${name}` };
  }

  private described(type: ts.Type): JsonSchema {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const text = isOurs(symbol)
      ? ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).replace(/\s+/g, ' ')
      : '';
    const meaning = text.replace(/\s*Source: .*$/, '').replace(/^What `\w+` makes\.\s*/, '');
    return meaning === '' ? {} : { description: meaning };
  }

  private nameOf(type: ts.Type): string | null {
    const root = this.names.get(type);
    if (root !== undefined) return root;
    if (type.aliasSymbol && !type.aliasTypeArguments && isOurs(type.aliasSymbol))
      return this.isWorthAName(type) ? type.aliasSymbol.getName() : null;
    const symbol = type.getSymbol();
    const isPlainInterface =
      isOurs(symbol) && type.isClassOrInterface() && (type as ts.InterfaceType).typeParameters === undefined;
    return isPlainInterface ? symbol.getName() : null;
  }

  private isWorthAName(type: ts.Type): boolean {
    return !(type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike)) && !this.isOpenRecord(type);
  }

  private isOpenRecord(type: ts.Type): boolean {
    return (
      this.checker.getPropertiesOfType(type).length === 0 && this.checker.getIndexInfosOfType(type).length > 0
    );
  }

  /** The schema itself, also of a type with a name. */
  written(type: ts.Type): JsonSchema {
    const primitive = primitives.find(([flags]) => type.flags & flags);
    if (primitive) return primitive[1];
    if (type.isStringLiteral()) return { type: 'string', enum: [type.value] };
    if (type.isNumberLiteral()) return { type: 'integer', enum: [type.value] };
    // Generators know no enumeration of truth values.
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { type: 'boolean' };
    if (type.isUnion()) return this.union(type);
    if (this.checker.isArrayType(type)) return this.list(type);
    if (type.getSymbol()?.getName() === 'Date') return { type: 'string', format: 'date-time' };
    return this.object(type);
  }

  private list(type: ts.Type): JsonSchema {
    const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
    if (!item || item.flags & ts.TypeFlags.Never) return { type: 'array', items: {}, maxItems: 0 };
    return { type: 'array', items: this.of(item) };
  }

  private union(type: ts.UnionType): JsonSchema {
    const admitsNull = type.types.some((one) => one.flags & ts.TypeFlags.Null);
    const present = this.checker.getNonNullableType(type);
    // What is left may be a type with a name.
    if (present !== type && this.nameOf(present) !== null)
      return admitsNull ? orNull(this.of(present)) : this.of(present);
    const schema = this.unionOfPresent(present.isUnion() ? present.types : [present]);
    return admitsNull ? orNull(schema) : schema;
  }

  private unionOfPresent(types: readonly ts.Type[]): JsonSchema {
    const [first] = types;
    if (types.length === 1 && first) return this.of(first);
    if (types.every((one) => one.flags & ts.TypeFlags.BooleanLiteral)) return { type: 'boolean' };
    if (types.every((one) => one.isStringLiteral()))
      return { type: 'string', enum: types.map((one) => (one as ts.StringLiteralType).value).sort() };
    return this.unionOfObjects(types);
  }

  /** Objects that a text of their own tells apart stay a union; all others become one object, so that no reader has to
   *  guess which one it got. */
  private unionOfObjects(types: readonly ts.Type[]): JsonSchema {
    const written = types.map((one) => this.written(one));
    const one = isTagged(written) ? null : mergedObject(written);
    return one ?? { anyOf: types.map((type) => this.of(type)) };
  }

  private object(type: ts.Type): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const property of inSourceOrder(this.checker.getPropertiesOfType(type))) {
      const name = property.getName();
      properties[name] = this.property(property);
      if (!(property.flags & ts.SymbolFlags.Optional)) required.push(name);
    }
    const [index] = this.checker.getIndexInfosOfType(type);
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
      ...(index ? { additionalProperties: this.additional(index.type) } : {}),
    };
  }

  private additional(type: ts.Type): JsonSchema | true {
    const schema = this.of(type);
    return Object.keys(schema).length === 0 ? true : schema;
  }

  private property(property: ts.Symbol): JsonSchema {
    const schema = this.of(this.checker.getTypeOfSymbol(property));
    const meaning = meaningOf(this.checker, property);
    return {
      ...schema,
      ...(isDeclaredAs('Instant', this.checker, property) ? { format: 'date-time' } : {}),
      ...(isDeclaredAs('Percentage', this.checker, property) ? { type: 'number' } : {}),
      ...(meaning === '' ? {} : { description: meaning }),
    };
  }
}
