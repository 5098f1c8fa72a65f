import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { MetadataSchemaSnapshot } from '@scrip/contracts/auth';
import { runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import type { MetadataSchema } from '@scrip/metadata-schemas';
import { batchLoader } from '@scrip/rpc';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import {
  type MetadataSchemaRefusal,
  type MetadataSchemaState,
  schemaNotFound,
} from './metadata-schema.decider';

interface SchemaRow {
  state: MetadataSchemaState;
}

/** Reads metadata schemas of projects. */
@Injectable()
export class MetadataSchemaReads {
  /** How often the schemas of a project changed; null: it never had one. Simultaneous calls share a query. */
  readonly changes: (projectId: string) => Promise<number | null>;

  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    @InjectListReader('auth') private readonly lists: ListReader,
  ) {
    this.changes = batchLoader(async (projectIds) => {
      const rows = await runQuery<{ project_id: string; count: number }>(
        database,
        'SELECT project_id, count::float8 FROM metadata_schema_changes WHERE project_id = ANY($1)',
        [projectIds],
      );
      const counts = new Map(rows.map(({ project_id, count }) => [project_id, count]));
      return projectIds.map((id) => counts.get(id) ?? null);
    });
  }

  /** Returns the schema with an id or for a related object. Refuses `not_found`. */
  async find(
    { project }: RequestContext,
    idOrName: string,
  ): Promise<MetadataSchemaSnapshot | MetadataSchemaRefusal> {
    const [found] = await runQuery<SchemaRow>(
      this.database,
      `SELECT state FROM metadata_schemas WHERE project_id = $1 AND NOT deleted AND id = $2
       UNION ALL
       SELECT state FROM metadata_schemas WHERE project_id = $1 AND NOT deleted AND related_object = $2`,
      [project.id, idOrName],
    );
    return found?.state.schema ?? schemaNotFound(idOrName);
  }

  /** All schemas of the project, by their related objects. */
  async list(context: RequestContext): Promise<MetadataSchemaSnapshot[]> {
    const rows = await this.lists.rows<SchemaRow>(context, {
      text: 'SELECT state FROM metadata_schemas WHERE project_id = $1 AND NOT deleted ORDER BY related_object',
      values: [context.project.id],
    });
    return rows.map(({ state }) => state.schema);
  }

  /** The schemas for those of the related objects that have one. */
  async of(projectId: string, relatedObjects: readonly string[]): Promise<MetadataSchema[]> {
    const rows = await runQuery<SchemaRow>(
      this.database,
      'SELECT state FROM metadata_schemas WHERE project_id = $1 AND NOT deleted AND related_object = ANY($2)',
      [projectId, relatedObjects],
    );
    return rows.map(({ state: { schema } }) => ({
      related_object: schema.related_object,
      allow_defined_only: schema.allow_defined_only,
      properties: schema.properties,
    }));
  }
}
