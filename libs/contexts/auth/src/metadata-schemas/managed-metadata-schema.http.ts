import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ContextOf, Ctx, Ids, IsAnything, IsFlag, IsText, listOf, Operation } from '@scrip/edge';
import type { IdSource, RequestContext } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import { definitionsSchema } from './definitions-request';
import { MetadataSchemaRequests, relatedObjectMax, type SchemaForm } from './metadata-schema.requests';
import { type ManagedMetadataSchemaResponse, renderManagedMetadataSchema } from './metadata-schema.wire';

const form: SchemaForm<ManagedMetadataSchemaResponse> = {
  spelling: 'snake',
  render: renderManagedMetadataSchema,
};

class ManagedMetadataSchemaBody {
  @IsText({ min: 1, max: relatedObjectMax })
  related_object: string;

  @IsOptional()
  @IsFlag()
  allow_defined_only?: boolean;

  @IsAnything(definitionsSchema('snake'))
  properties: unknown;
}

class ManagedMetadataSchemaChangeBody {
  @IsOptional()
  @IsFlag()
  allow_defined_only?: boolean;

  @IsOptional()
  @IsAnything(definitionsSchema('snake'))
  properties?: unknown;
}

/** Metadata schemas in the management API. Source: reference 07 §8, §14. */
@ContextOf('auth')
@Controller('management/v1/projects/:projectId/metadata-schemas')
export class ManagedMetadataSchemaHttp {
  constructor(private readonly requests: MetadataSchemaRequests) {}

  @Get()
  @Operation({
    id: 'listManagedMetadataSchemas',
    summary: 'Lists the metadata schemas of a project',
    description: 'By their related objects.',
    links: { getManagedMetadataSchema: { metadataSchemaId: '/data/0/id' } },
    answers: { 200: { list: 'data', of: 'ManagedMetadataSchemaResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext) {
    const schemas = await this.requests.list(context, form);
    return listOf('data', schemas, { total: schemas.length });
  }

  @Post()
  @Operation({
    id: 'createManagedMetadataSchema',
    refuses: ['duplicate_found'],
    summary: 'Adds a metadata schema to a project',
    description:
      'For an object that has metadata (`customer`, `order`, …), or under another name for objects nested in metadata.',
    links: {
      getManagedMetadataSchema: { metadataSchemaId: '/id' },
      updateManagedMetadataSchema: { metadataSchemaId: '/id' },
      deleteManagedMetadataSchema: { metadataSchemaId: '/id' },
    },
    example: {
      related_object: 'reward',
      allow_defined_only: true,
      properties: { shelf: { type: 'string', optional: true, array: false, max_length: 8 } },
    },
    answers: { 200: 'ManagedMetadataSchemaResponse' },
  })
  create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: ManagedMetadataSchemaBody) {
    return this.requests.create(context, ids, body, form);
  }

  @Get(':metadataSchemaId')
  @Operation({
    id: 'getManagedMetadataSchema',
    summary: 'Shows a metadata schema of a project',
    description: 'Named by its id or its related object.',
    answers: { 200: 'ManagedMetadataSchemaResponse' },
  })
  get(@Ctx() context: RequestContext, @Param('metadataSchemaId') idOrName: string) {
    return this.requests.get(context, idOrName, form);
  }

  @Put(':metadataSchemaId')
  @Operation({
    id: 'updateManagedMetadataSchema',
    summary: 'Changes a metadata schema of a project',
    description: 'Definitions that are not sent stay; one that is sent replaces that of its key.',
    example: { properties: { shelf: { type: 'string', optional: false, array: false, max_length: 16 } } },
    answers: { 200: 'ManagedMetadataSchemaResponse' },
  })
  update(
    @Ctx() context: RequestContext,
    @Param('metadataSchemaId') idOrName: string,
    @Body() body: ManagedMetadataSchemaChangeBody,
  ) {
    return this.requests.update(context, idOrName, body, form);
  }

  @Delete(':metadataSchemaId')
  @HttpCode(204)
  @Operation({
    id: 'deleteManagedMetadataSchema',
    summary: 'Removes a metadata schema of a project',
    description: 'Metadata stays as it is.',
    answers: { 204: null },
  })
  delete(@Ctx() context: RequestContext, @Param('metadataSchemaId') idOrName: string) {
    return this.requests.delete(context, idOrName);
  }
}
