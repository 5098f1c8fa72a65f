import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ContextOf, Ctx, Ids, listOf, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { managementRefusals } from '../auth.refusals';
import type { EventSchema, EventSchemaRefusal } from './event-schema';
import { EventSchemaBody, EventSchemaChangeBody, readProperties } from './event-schema.dto';
import { EventSchemaHandlers } from './event-schema.handlers';
import { type EventSchemaResponse, renderEventSchema } from './event-schema.wire';

type Answer = EventSchemaResponse | EventSchemaRefusal;

const answer = (schema: EventSchema | EventSchemaRefusal): Answer =>
  isRefused(schema) ? schema : renderEventSchema(schema);

/** Management of the schemas of custom events. Source: reference 06 §6.2. */
@Controller('management/v1/projects/:projectId/custom-event-schemas')
@ContextOf('auth')
@Refusals(managementRefusals)
export class EventSchemaHttp {
  constructor(private readonly schemas: EventSchemaHandlers) {}

  @Get()
  @Operation({
    id: 'listEventSchemas',
    refuses: [],
    summary: 'Lists the schemas of custom events',
    description: 'Newest first.',
    answers: { 200: { list: 'data', of: 'EventSchemaResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext) {
    const schemas = await this.schemas.list(context);
    return listOf('data', schemas.map(renderEventSchema), { total: schemas.length });
  }

  @Post()
  @Operation({
    id: 'createEventSchema',
    refuses: ['invalid_payload', 'duplicate_found'],
    summary: 'Adds the schema of a custom event',
    links: {
      getEventSchema: { customEventSchemaId: '/id' },
      updateEventSchema: { customEventSchemaId: '/id' },
      deleteEventSchema: { customEventSchemaId: '/id' },
    },
    example: {
      name: 'newsletter_read',
      schema: { properties: { issue: { type: 'number', optional: false } } },
    },
    answers: { 200: 'EventSchemaResponse' },
  })
  async create(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Body() { name, schema }: EventSchemaBody,
  ): Promise<Answer> {
    const read = readProperties(schema);
    return isRefused(read) ? read : answer(await this.schemas.create(context, ids, { name, ...read }));
  }

  @Get(':customEventSchemaId')
  @Operation({
    id: 'getEventSchema',
    refuses: [],
    summary: 'Shows the schema of a custom event',
    answers: { 200: 'EventSchemaResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('customEventSchemaId') id: string): Promise<Answer> {
    return answer(await this.schemas.find(context, id));
  }

  @Put(':customEventSchemaId')
  @Operation({
    id: 'updateEventSchema',
    refuses: ['invalid_payload'],
    summary: 'Changes the schema of a custom event',
    description:
      'A property that is sent replaces the one of its name, whose type may change; the others stay. The name stays, too.',
    example: { schema: { properties: { issue: { type: 'string', optional: true } } } },
    answers: { 200: 'EventSchemaResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('customEventSchemaId') id: string,
    @Body() { schema }: EventSchemaChangeBody,
  ): Promise<Answer> {
    const read = schema == null ? { properties: {} } : readProperties(schema);
    return isRefused(read) ? read : answer(await this.schemas.update(context, id, read.properties));
  }

  @Delete(':customEventSchemaId')
  @HttpCode(204)
  @Operation({
    id: 'deleteEventSchema',
    refuses: [],
    summary: 'Removes the schema of a custom event for good',
    description: 'Later events of its name are refused.',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('customEventSchemaId') id: string,
  ): Promise<EventSchemaRefusal | undefined> {
    return (await this.schemas.delete(context, id)) ?? undefined;
  }
}
