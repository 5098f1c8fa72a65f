import { Controller, Get, Param, Query } from '@nestjs/common';
import { ContextOf, Ctx, listOf, Operation, pageOf } from '@scrip/edge';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { LocationListQuery } from './location-list.query';
import { LocationHandlers, type LocationRefusal } from './location.handlers';
import { type LocationResponse, renderLocation } from './location.wire';

/** Locations as the server-side API shows them. Source: reference 07 §9. */
@Controller('v1/locations')
@ContextOf('auth')
export class LocationHttp {
  constructor(private readonly locations: LocationHandlers) {}

  @Get()
  @Operation({
    id: 'listLocations',
    refuses: [],
    summary: 'Lists locations',
    description: 'Further pages are found by `end_date`.',
    links: { getLocation: { locationId: '/data/0/id' } },
    answers: { 200: { list: 'data', of: 'LocationResponse', counts: ['total', 'has_more'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: LocationListQuery) {
    const found = await this.locations.list(context, query);
    if (isRefused(found)) return found;
    const { items, hasMore } = pageOf(found.locations, query.limit);
    return listOf('data', items.map(renderLocation), { total: found.total, has_more: hasMore });
  }

  @Get(':locationId')
  @Operation({
    id: 'getLocation',
    refuses: [],
    summary: 'Shows a location',
    answers: { 200: 'LocationResponse' },
  })
  async get(
    @Ctx() context: RequestContext,
    @Param('locationId') id: string,
  ): Promise<LocationResponse | LocationRefusal> {
    const found = await this.locations.find(context, id);
    return isRefused(found) ? found : renderLocation(found);
  }
}
