import { Inject, Injectable } from '@nestjs/common';
import type { MetadataSchemaSnapshot } from '@scrip/contracts/auth';
import { type IdSource, isRefused, missingFeature, refuse, type RequestContext } from '@scrip/kernel';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { readDefinitions, type Spelling } from './definitions-request';
import type { Definitions, MetadataSchemaRefusal } from './metadata-schema.decider';
import { MetadataSchemaHandlers } from './metadata-schema.handlers';
import { MetadataSchemaReads } from './metadata-schema.reads';

/** Longest related object, in UTF-16 units. */
export const relatedObjectMax = 128;

/** How the API spells a schema: what it reads and what it answers. */
export interface SchemaForm<Answer> {
  spelling: Spelling;
  render: (schema: MetadataSchemaSnapshot) => Answer;
}

interface NewSchemaBody {
  related_object: string;
  allow_defined_only?: boolean | null;
  properties?: unknown;
}

type SchemaChangeBody = Partial<Pick<NewSchemaBody, 'allow_defined_only' | 'properties'>>;

/** The calls about metadata schemas, which the server-side API and management spell differently. Source: reference 07
 *  §8. */
@Injectable()
export class MetadataSchemaRequests {
  constructor(
    private readonly schemas: MetadataSchemaHandlers,
    private readonly reads: MetadataSchemaReads,
    @Inject(SCRIP_CONFIG) private readonly config: Pick<ScripConfig, 'featuresOff'>,
  ) {}

  async create<Answer>(
    context: RequestContext,
    ids: IdSource,
    { related_object, allow_defined_only, properties }: NewSchemaBody,
    { spelling, render }: SchemaForm<Answer>,
  ): Promise<Answer | MetadataSchemaRefusal> {
    // A path names a schema by its id or its related object.
    if (related_object.startsWith('ms_'))
      return refuse('invalid_payload', 'Property .related_object cannot begin with ms_');
    const read = this.read(properties, related_object, spelling);
    if (isRefused(read)) return read;
    const created = await this.schemas.create(context, {
      id: ids.next('ms_', 'metadata_schema'),
      related_object,
      allow_defined_only: allow_defined_only ?? false,
      ...read,
    });
    return isRefused(created) ? created : render(created);
  }

  async update<Answer>(
    context: RequestContext,
    idOrName: string,
    { allow_defined_only, properties }: SchemaChangeBody,
    { spelling, render }: SchemaForm<Answer>,
  ): Promise<Answer | MetadataSchemaRefusal> {
    const known = await this.reads.find(context, idOrName);
    if (isRefused(known)) return known;
    const read =
      properties === undefined ? { properties } : this.read(properties, known.related_object, spelling);
    if (isRefused(read)) return read;
    const change = { ...read, allow_defined_only: allow_defined_only ?? undefined };
    const updated = await this.schemas.update(context, known.id, change);
    return isRefused(updated) ? updated : render(updated);
  }

  async delete(context: RequestContext, idOrName: string): Promise<MetadataSchemaRefusal | undefined> {
    const known = await this.reads.find(context, idOrName);
    if (isRefused(known)) return known;
    const deleted = await this.schemas.delete(context, known.id);
    return isRefused(deleted) ? deleted : undefined;
  }

  async get<Answer>(
    context: RequestContext,
    idOrName: string,
    { render }: SchemaForm<Answer>,
  ): Promise<Answer | MetadataSchemaRefusal> {
    const found = await this.reads.find(context, idOrName);
    return isRefused(found) ? found : render(found);
  }

  /** Points on the map belong to the feature of locations. Refuses as `readDefinitions` does, and `missing_required_feature`. */
  private read(
    properties: unknown,
    relatedObject: string,
    spelling: Spelling,
  ): { properties: Definitions } | MetadataSchemaRefusal {
    const read = readDefinitions(properties, relatedObject, spelling);
    if (isRefused(read) || !this.config.featuresOff.includes('locations')) return read;
    const isPoint = Object.values(read.properties).some(
      ({ type, deleted }) => type === 'geopoint' && !deleted,
    );
    return isPoint ? missingFeature() : read;
  }

  async list<Answer>(context: RequestContext, { render }: SchemaForm<Answer>): Promise<Answer[]> {
    return (await this.reads.list(context)).map(render);
  }
}
