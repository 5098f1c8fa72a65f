import { Injectable } from '@nestjs/common';
import type { MetadataSchemaSnapshot } from '@scrip/contracts/auth';
import { type IdSource, isRefused, refuse, type RequestContext } from '@scrip/kernel';
import { readDefinitions, type Spelling } from './definitions-request';
import type { MetadataSchemaRefusal } from './metadata-schema.decider';
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
    const read = readDefinitions(properties, related_object, spelling);
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
      properties === undefined ? { properties } : readDefinitions(properties, known.related_object, spelling);
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

  async list<Answer>(context: RequestContext, { render }: SchemaForm<Answer>): Promise<Answer[]> {
    return (await this.reads.list(context)).map(render);
  }
}
