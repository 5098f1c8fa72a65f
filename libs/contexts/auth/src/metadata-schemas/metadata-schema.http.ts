import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ContextOf, Ctx, Ids, IsAnything, IsFlag, IsText, listOf, Operation } from '@scrip/edge';
import type { IdSource, RequestContext } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import { definitionsSchema } from './definitions-request';
import { MetadataSchemaRequests, relatedObjectMax, type SchemaForm } from './metadata-schema.requests';
import { type MetadataSchemaResponse, renderMetadataSchema } from './metadata-schema.wire';

const form: SchemaForm<MetadataSchemaResponse> = { spelling: 'camel', render: renderMetadataSchema };

class MetadataSchemaBody {
  @IsText({ min: 1, max: relatedObjectMax })
  related_object: string;

  @IsOptional()
  @IsFlag()
  allow_defined_only?: boolean;

  @IsAnything(definitionsSchema('camel'))
  properties: unknown;
}

class MetadataSchemaChangeBody {
  @IsOptional()
  @IsFlag()
  allow_defined_only?: boolean;

  @IsOptional()
  @IsAnything(definitionsSchema('camel'))
  properties?: unknown;
}

/** Metadata schemas in the server-side API. Source: reference 07 §8. */
@ContextOf('auth')
@Controller('v1/metadata-schemas')
export class MetadataSchemaHttp {
  constructor(private readonly requests: MetadataSchemaRequests) {}

  @Get()
  @Operation({
    id: 'listMetadataSchemas',
    summary: 'Lists the metadata schemas',
    description: 'By their related objects.',
    links: { getMetadataSchema: { resource: '/schemas/0/id' } },
    answers: { 200: { list: 'schemas', of: 'MetadataSchemaResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext) {
    const schemas = await this.requests.list(context, form);
    return listOf('schemas', schemas, { total: schemas.length });
  }

  @Post()
  @Operation({
    id: 'createMetadataSchema',
    refuses: ['duplicate_found'],
    summary: 'Adds a metadata schema',
    description:
      'For an object that has metadata (`customer`, `order`, …), or under another name for objects nested in metadata.',
    links: {
      getMetadataSchema: { resource: '/id' },
      updateMetadataSchema: { resource: '/id' },
      deleteMetadataSchema: { resource: '/id' },
    },
    example: {
      related_object: 'publication',
      properties: {
        source: { type: 'string', optional: false, array: false, eq: ['till', 'web'] },
        visits: { type: 'number', optional: true, array: false, gte: 0 },
      },
    },
    answers: { 200: 'MetadataSchemaResponse' },
  })
  create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: MetadataSchemaBody) {
    return this.requests.create(context, ids, body, form);
  }

  @Get(':resource')
  @Operation({
    id: 'getMetadataSchema',
    summary: 'Shows a metadata schema',
    description: 'Named by its id or its related object.',
    answers: { 200: 'MetadataSchemaResponse' },
  })
  get(@Ctx() context: RequestContext, @Param('resource') idOrName: string) {
    return this.requests.get(context, idOrName, form);
  }

  @Put(':resource')
  @Operation({
    id: 'updateMetadataSchema',
    summary: 'Changes a metadata schema',
    description: 'Definitions that are not sent stay; one that is sent replaces that of its key.',
    example: { properties: { visits: { type: 'number', optional: true, array: false, gte: 1 } } },
    answers: { 200: 'MetadataSchemaResponse' },
  })
  update(
    @Ctx() context: RequestContext,
    @Param('resource') idOrName: string,
    @Body() body: MetadataSchemaChangeBody,
  ) {
    return this.requests.update(context, idOrName, body, form);
  }

  @Delete(':resource')
  @HttpCode(204)
  @Operation({
    id: 'deleteMetadataSchema',
    summary: 'Removes a metadata schema',
    description: 'Metadata stays as it is.',
    answers: { 204: null },
  })
  delete(@Ctx() context: RequestContext, @Param('resource') idOrName: string) {
    return this.requests.delete(context, idOrName);
  }
}
