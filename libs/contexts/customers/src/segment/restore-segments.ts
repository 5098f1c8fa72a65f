import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { SegmentSnapshot } from '@scrip/contracts/customers';
import {
  type CreatedResource,
  keptBytesMax,
  type RenamedResource,
  type RestoredResources,
} from '@scrip/contracts/snapshot';
import { runQuery } from '@scrip/event-store';
import { findKept, isRefused, type Refusal, refuse, type RequestContext, type Standing } from '@scrip/kernel';
import { filtersOf, locationOperators, mappedFilter } from '@scrip/list-query';
import { FilterContexts } from '@scrip/metadata';
import type { DataSource } from 'typeorm';
import { newSegment } from './new-segment';
import type { SegmentRefusal, SegmentState } from './segment.decider';
import { SegmentHandlers } from './segment.handlers';

const ofLocations: ReadonlySet<string> = new Set(locationOperators);

type Filter = NonNullable<SegmentSnapshot['filter']>;

/** The filter of a kept segment, with the ids that locations have in the project. */
const filterOf = (kept: Filter, renamed: readonly RenamedResource[]): Filter => {
  const ids = new Map(renamed.flatMap(({ object, from, to }) => (object === 'location' ? [[from, to]] : [])));
  return mappedFilter(kept, (value, { operator }) =>
    ofLocations.has(operator) ? (ids.get(String(value)) ?? value) : value,
  );
};

/** Segments that templates keep. Source: reference 04 §12. */
@Injectable()
export class RestoreSegments {
  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    private readonly handlers: SegmentHandlers,
    private readonly filterContexts: FilterContexts,
  ) {}

  /** See `CustomersPort.keepSegments`. */
  async keep(
    { project }: RequestContext,
    ids: readonly string[],
  ): Promise<{ segments: SegmentSnapshot[] } | Refusal<'invalid_payload'>> {
    const rows = await runQuery<{ state: SegmentState }>(
      this.dataSource,
      'SELECT state FROM segments WHERE project_id = $1 AND id = ANY($2) AND NOT deleted ORDER BY id',
      [project.id, ids],
    );
    const segments = rows.map(({ state }) => state.segment);
    const fixed = segments.find(({ type }) => type === 'static');
    if (fixed) return refuse('invalid_payload', `A template cannot keep the static segment ${fixed.id}`);
    return Buffer.byteLength(JSON.stringify(segments)) <= keptBytesMax
      ? { segments }
      : refuse('invalid_payload', `A template keeps at most ${keptBytesMax} bytes of segments`);
  }

  /** See `CustomersPort.restoreSegments`. */
  async restore(
    context: RequestContext,
    {
      segments,
      renamed: elsewhere,
      template_id,
    }: { segments: readonly SegmentSnapshot[]; renamed: readonly RenamedResource[]; template_id: string },
  ): Promise<RestoredResources | SegmentRefusal> {
    const created: CreatedResource[] = [];
    const renamed: RenamedResource[] = [];
    for (const { id, name, type, filter: kept } of segments) {
      if (!kept) continue;
      const filter = filterOf(kept, elsewhere);
      const found = await findKept<SegmentSnapshot, 'seg_'>(
        { id, prefix: 'seg_', owner: template_id },
        (ids) => this.standing(context.project.id, ids),
        (one) => isDeepStrictEqual(one.filter, filter),
      );
      const to = 'id' in found ? found.id : found.created;
      if ('created' in found) {
        const at = await this.filterContexts.now(context, 'customer');
        const wanted = newSegment({ name, type, filter: filtersOf(filter) }, at);
        if (isRefused(wanted)) return wanted;
        const made = await this.handlers.create(context, to, wanted);
        if (isRefused(made)) return made;
        created.push({ id: to, object: 'segments' });
      }
      if (to !== id) renamed.push({ object: 'segments', from: id, to });
    }
    return { renamed, created };
  }

  private async standing(
    projectId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Standing<SegmentSnapshot>>> {
    const rows = await runQuery<{ id: string; state: SegmentState }>(
      this.dataSource,
      'SELECT id, state FROM segments WHERE project_id = $1 AND id = ANY($2)',
      [projectId, ids],
    );
    return new Map(
      rows.map(({ id, state }) => [id, { record: state.segment, deleted: state.deleted }] as const),
    );
  }
}
