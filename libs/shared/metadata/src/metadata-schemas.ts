import { Injectable } from '@nestjs/common';
import { type AuthPort, authPort, schemasPerCall } from '@scrip/contracts/auth';
import type { RequestContext } from '@scrip/kernel';
import {
  type CheckMetadata,
  type CompiledSchema,
  compileSchema,
  type MetadataSchema,
  type MetadataTypes,
  type OrderChecks,
  type RelatedObject,
} from '@scrip/metadata-schemas';
import { InjectPort } from '@scrip/rpc';
import { LRUCache } from 'lru-cache';

const checksNothing: CheckMetadata = () => null;
const noTypes: MetadataTypes = () => undefined;

/** Schemas that one process keeps, those of all projects. */
const keptMax = 2_000;

interface Kept {
  /** Undefined: the related object has no schema. */
  schema: CompiledSchema | undefined;
}

/** The metadata schemas of projects, as far as this process needed them. They are kept by how often the project changed
 *  its schemas, which each request brings along, so a change counts at once and nothing is asked twice. A project that
 *  never had a schema asks nothing. Source: reference 07 §8, ADR 78. */
@Injectable()
export class MetadataSchemas {
  private readonly kept = new LRUCache<string, Promise<Kept>>({ max: keptMax });

  constructor(@InjectPort(authPort) private readonly auth: AuthPort) {}

  /** Returns what checks metadata of a related object. To be called once per write, before it is decided: on every write that
   *  sends metadata or creates what has some. Throws `Fault` where auth does not answer. */
  async checkOf(context: RequestContext, relatedObject: RelatedObject): Promise<CheckMetadata> {
    return (await this.of(context, relatedObject))?.check ?? checksNothing;
  }

  /** As `checkOf`, of orders and of their items. */
  async orderChecksOf(context: RequestContext): Promise<OrderChecks> {
    const [order, item] = await Promise.all([
      this.checkOf(context, 'order'),
      this.checkOf(context, 'order_item'),
    ]);
    return { order, item };
  }

  /** Returns the types of a related object's metadata, for filters; none where no field of `filters` is of metadata, which asks
   *  nothing. Absent `filters` may name any. Throws `Fault` where auth does not answer. */
  async typesOf(
    context: RequestContext,
    relatedObject: RelatedObject,
    filters?: { fields: Readonly<Record<string, unknown>> },
  ): Promise<MetadataTypes> {
    const asked = !filters || Object.keys(filters.fields).some((field) => field.startsWith('metadata.'));
    return (asked ? await this.of(context, relatedObject) : undefined)?.typeOf ?? noTypes;
  }

  /** Returns the schema of a related object; undefined where the project has none. Throws `Fault` where auth does not answer. */
  async of(context: RequestContext, relatedObject: RelatedObject): Promise<CompiledSchema | undefined> {
    const { id, schemaChanges } = context.project;
    if (schemaChanges === undefined) return undefined;
    const key = `${id} ${schemaChanges} ${relatedObject}`;
    const known = this.kept.get(key);
    if (known) return (await known).schema;
    const loaded = this.load(context, relatedObject);
    this.kept.set(key, loaded);
    try {
      return (await loaded).schema;
    } catch (error) {
      if (this.kept.peek(key) === loaded) this.kept.delete(key);
      throw error;
    }
  }

  private async load(context: RequestContext, relatedObject: RelatedObject): Promise<Kept> {
    const [schema] = await this.schemasOf(context, [relatedObject]);
    if (!schema) return { schema: undefined };
    const nested = await this.schemasOf(context, nestedNames(schema));
    const byName = new Map(nested.map((one) => [one.related_object, one]));
    return { schema: compileSchema(schema, (name) => byName.get(name)) };
  }

  private async schemasOf(context: RequestContext, names: readonly string[]): Promise<MetadataSchema[]> {
    const found: MetadataSchema[] = [];
    for (let from = 0; from < names.length; from += schemasPerCall) {
      const related_objects = names.slice(from, from + schemasPerCall);
      const { schemas } = await this.auth.loadMetadataSchemas(context, {
        project_id: context.project.id,
        related_objects,
      });
      found.push(...schemas);
    }
    return found;
  }
}

const nestedNames = ({ properties }: MetadataSchema): string[] => [
  ...new Set(
    Object.values(properties).flatMap(({ object_type, deleted }) =>
      object_type === undefined || deleted ? [] : [object_type],
    ),
  ),
];
