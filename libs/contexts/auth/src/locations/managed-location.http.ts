import { Body, Controller, Delete, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ContextOf, Ctx, Ids, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, refuse, type RequestContext } from '@scrip/kernel';
import { managementRefusals } from '../auth.refusals';
import { LocationBody, LocationChangeBody } from './location.dto';
import { LocationHandlers, type LocationRefusal } from './location.handlers';
import type { Location } from './location.table';
import { type LocationResponse, renderLocation } from './location.wire';

type Answer = LocationResponse | LocationRefusal;

const answer = (location: Location | LocationRefusal): Answer =>
  isRefused(location) ? location : renderLocation(location);

/** Drawing locations. Source: reference 07 §9. */
@Controller('management/v1/projects/:projectId/locations')
@ContextOf('auth')
@Refusals(managementRefusals)
export class ManagedLocationHttp {
  constructor(private readonly locations: LocationHandlers) {}

  @Post()
  @Operation({
    id: 'createLocation',
    refuses: ['invalid_payload'],
    summary: 'Adds a location to a project',
    links: {
      getLocation: { locationId: '/id' },
      updateLocation: { locationId: '/id' },
      deleteLocation: { locationId: '/id' },
    },
    example: {
      name: 'City centre',
      shape: {
        type: 'circle',
        format: 'distance',
        distance: { center: 'geo:52.2297,21.0122', radius: '1.54 km' },
      },
    },
    answers: { 200: 'LocationResponse' },
  })
  async create(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Body() { name, shape }: LocationBody,
  ): Promise<Answer> {
    if (shape === undefined) return refuse('invalid_payload', "Payload must have required property 'shape'");
    return answer(await this.locations.create(context, ids, { name, shape }));
  }

  @Put(':locationId')
  @Operation({
    id: 'updateLocation',
    refuses: ['invalid_payload'],
    summary: 'Changes a location of a project',
    description: 'What is not sent stays.',
    example: { name: 'Old town' },
    answers: { 200: 'LocationResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('locationId') id: string,
    @Body() body: LocationChangeBody,
  ): Promise<Answer> {
    return answer(await this.locations.update(context, id, body));
  }

  @Delete(':locationId')
  @HttpCode(204)
  @Operation({
    id: 'deleteLocation',
    refuses: ['resource_in_use', 'multiple_requests'],
    summary: 'Removes a location from a project',
    description: 'Not while filters of segments or product collections refer to it.',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('locationId') id: string,
  ): Promise<LocationRefusal | undefined> {
    return (await this.locations.delete(context, id)) ?? undefined;
  }
}
