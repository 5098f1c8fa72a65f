import { onlyTextOf, withDiscriminators } from './discriminator';
import type { JsonSchema } from './json-schema';

/** The words of a name as a type is called: `created_at` is `CreatedAt`. */
export const typeNameOf = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('');

const spoken = (text: string): string => typeNameOf(text === text.toUpperCase() ? text.toLowerCase() : text);

/** The schemas of a document by name. Objects within others get names of their own, made from where they stand:
 *  `redemption` of `VoucherResponse` is `VoucherResponseRedemption`. A `title` is a name that the source gives. */
export class NamedSchemas {
  private readonly named = new Map<string, JsonSchema>();

  /** Adds a schema and what stands in it. Returns a reference to it. Throws `Error` where the name means another one. */
  put(name: string, schema: JsonSchema): JsonSchema {
    const { title: _, ...own } = schema;
    const written = this.withNames(own, name);
    const known = this.named.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(written))
      throw new Error(`two schemas have the name ${name}`);
    this.named.set(name, written);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Refers to a schema. Throws `Error` where there is none of the name. */
  reference(name: string): JsonSchema {
    if (!this.named.has(name)) throw new Error(`no schema of the type ${name}`);
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The schema with references instead of the objects in it; itself a reference where it is an object with properties. */
  refer(schema: JsonSchema, name: string): JsonSchema {
    if (schema.properties === undefined && schema.title === undefined) return this.withNames(schema, name);
    const { description } = schema;
    const title = typeof schema.title === 'string' ? schema.title : name;
    const isTold = schema.title === undefined && description !== undefined;
    return { ...this.put(title, schema), ...(isTold ? { description } : {}) };
  }

  /** In alphabetical order, unions with their discriminators. */
  all(): Record<string, JsonSchema> {
    const schemaOf = (name: string) => this.named.get(name);
    return Object.fromEntries(
      [...this.named]
        .sort(([left], [right]) => left.localeCompare(right, 'en'))
        .map(([name, schema]) => [name, withDiscriminators(schema, schemaOf)]),
    );
  }

  private withNames(schema: JsonSchema, name: string): JsonSchema {
    const { properties, patternProperties: families, items, anyOf, additionalProperties } = schema;
    return {
      ...schema,
      ...(properties === undefined ? {} : { properties: this.members(properties as JsonSchema, name) }),
      ...(families === undefined ? {} : { patternProperties: this.members(families as JsonSchema, name) }),
      ...(items === undefined ? {} : { items: this.refer(items as JsonSchema, `${name}Item`) }),
      ...(anyOf === undefined ? {} : { anyOf: this.variants(anyOf as JsonSchema[], name) }),
      ...(typeof additionalProperties === 'object' && additionalProperties !== null
        ? { additionalProperties: this.refer(additionalProperties as JsonSchema, `${name}Value`) }
        : {}),
    };
  }

  private members(properties: JsonSchema, name: string): JsonSchema {
    return Object.fromEntries(
      Object.entries(properties).map(([property, schema]) => [
        property,
        this.refer(schema as JsonSchema, `${name}${typeNameOf(property)}`),
      ]),
    );
  }

  private variants(variants: readonly JsonSchema[], name: string): JsonSchema[] {
    const objects = variants.filter(({ properties }) => properties !== undefined);
    return variants.map((schema) => {
      const tag = Object.values((schema.properties ?? {}) as Record<string, JsonSchema>)
        .map(onlyTextOf)
        .find((text) => text !== null);
      const suffix = objects.length < 2 ? '' : spoken(tag ?? String(objects.indexOf(schema) + 1));
      return this.refer(schema, `${name}${suffix}`);
    });
  }
}
