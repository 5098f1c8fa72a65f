import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { Instant, Metadata } from '@scrip/contracts/snapshot';
import { pageOf } from '@scrip/edge';
import { type Refusal, type RequestContext, isRefused, notFound, refuse } from '@scrip/kernel';
import {
  InjectListReader,
  type ListReader,
  purposeRing,
  SCRIP_CONFIG,
  type ScripConfig,
} from '@scrip/service';
import { type PublicationFact, publicationSubject } from '@scrip/wire/campaigns';
import { renderCustomer, simpleCustomer } from '@scrip/wire/customers';
import { type TrackingIds, trackingIds, trackingIdsPurpose } from '@scrip/wire/qualification';
import type { DataSource } from 'typeorm';
import { foundSnapshot } from '../customer/customer.handlers';
import { CustomerReads, type FoundCustomer } from '../customer/customer.reads';
import { CustomerVault } from '../customer/customer-vault';
import { snapshotOf } from '../customer/customer-profile';
import { CustomerBlocksReads } from '../summary/customer-blocks.reads';
import type { EventSource } from './event-source';
import { type ActivityCursor, activityListStatements, type AnyActivityQuery } from './activity-list.query';
import type { ActivityKind } from './activity-kinds';
import type { ActivityResponse } from './activity.wire';

type ActivityRow = Record<string, unknown> & {
  id: string;
  type: ActivityKind;
  created_at: Date;
  group_id: string;
  source: EventSource;
  data: Metadata & { updated_at?: Instant | null; referrer_id?: string | null };
  sealed: string | null;
};

/** A page of a customer's activity. */
export interface ActivityPage {
  entries: ActivityResponse[];
  hasMore: boolean;
  /** All that match, as far as lists count; 0 where it was not asked for. */
  total: number;
}

/** A redemption or rollback as it is shown: with the tracking id of the customer as it is now. */
const tracked = (
  { tracking_id: _, ...entry }: Metadata,
  sourceId: string | null,
  encode: (identity: string) => string,
): Metadata => (sourceId ? { ...entry, tracking_id: encode(sourceId) } : entry);

/** Reads the activity of customers. */
@Injectable()
export class ActivityReads {
  private readonly tracking: TrackingIds;

  constructor(
    @InjectDataSource('customers') private readonly dataSource: DataSource,
    @InjectListReader('customers') private readonly lists: ListReader,
    private readonly customers: CustomerReads,
    private readonly vault: CustomerVault,
    private readonly blocks: CustomerBlocksReads,
    @Inject(SCRIP_CONFIG) config: ScripConfig,
  ) {
    this.tracking = trackingIds(purposeRing(config, trackingIdsPurpose));
  }

  /** Of a customer named by id or source id. Refuses `not_found`, and `invalid_query_params` for an unknown
   *  `starting_after_id`. Source: reference 06 §8. */
  async list(
    context: RequestContext,
    idOrSourceId: string,
    query: AnyActivityQuery,
    counted: boolean,
  ): Promise<ActivityPage | Refusal<'not_found' | 'invalid_query_params'>> {
    const projectId = context.project.id;
    const found = await this.customers.findNamed(projectId, idOrSourceId);
    if (!found) return notFound('customer', idOrSourceId);
    const { id } = found.state;
    const cursor = await this.cursorOf({ projectId, id }, query);
    if (isRefused(cursor)) return cursor;
    const { page, count } = activityListStatements({ projectId, id }, query, cursor);
    const rows = await this.lists.rows<ActivityRow>(context, page);
    const [row] = counted ? await this.lists.rows<{ total: string }>(context, count) : [];
    const { items, hasMore } = pageOf(rows, query.limit);
    const show = await this.shownIn(projectId, found, await this.referrersOf(projectId, items));
    return { entries: items.map(show), hasMore, total: Number(row?.total ?? 0) };
  }

  private async cursorOf(
    { projectId, id }: { projectId: string; id: string },
    { starting_after_id }: AnyActivityQuery,
  ): Promise<ActivityCursor | null | Refusal<'invalid_query_params'>> {
    if (starting_after_id === undefined) return null;
    const [cursor] = await this.dataSource.query<ActivityCursor[]>(
      'SELECT id, created_at FROM customer_activities WHERE project_id = $1 AND customer_id = $2 AND id = $3',
      [projectId, id, starting_after_id],
    );
    return (
      cursor ??
      refuse(
        'invalid_query_params',
        `Property .starting_after_id names no event of the list: ${starting_after_id}`,
      )
    );
  }

  /** The referrers of the orders of a page, by id, as they are now; deleted ones are absent. */
  private async referrersOf(
    projectId: string,
    rows: readonly ActivityRow[],
  ): Promise<Map<string, CustomerSnapshot>> {
    const ids = [...new Set(rows.flatMap(({ data }) => data.referrer_id ?? []))];
    // In one statement: they are asked for together.
    const found = await Promise.all(ids.map((id) => this.customers.find({ projectId, id })));
    return new Map(found.flatMap((one) => (one ? [[one.state.id, foundSnapshot(one)] as const] : [])));
  }

  private async shownIn(
    projectId: string,
    found: FoundCustomer,
    referrers: ReadonlyMap<string, CustomerSnapshot>,
  ): Promise<(row: ActivityRow) => ActivityResponse> {
    const { id } = found.state;
    const blocks = await this.blocks.of({ projectId, id });
    const now = foundSnapshot(found);
    const then = (sealed: string, updated_at: Instant | null) =>
      snapshotOf(id, this.vault.open(sealed, found.key, { projectId, customerId: id }), {
        created_at: now.created_at,
        updated_at,
      });
    const dataOf = ({ type, sealed, data }: ActivityRow): Metadata => {
      if (sealed !== null) return { customer: renderCustomer(then(sealed, data.updated_at ?? null), blocks) };
      if (type.startsWith('customer.redemption.')) {
        const show = (entry: unknown) =>
          tracked(entry as Metadata, now.source_id, (identity) => this.tracking.encode(projectId, identity));
        const { redemption, redemption_rollback: rollback, ...more } = data as Metadata;
        return {
          customer: simpleCustomer(now),
          ...more,
          redemption: show(redemption),
          ...(rollback ? { redemption_rollback: show(rollback) } : {}),
        };
      }
      if (type.startsWith('customer.holder.')) return { customer: simpleCustomer(now), ...data };
      if (type.startsWith('customer.publication.')) {
        const { publication, ...more } = data as Metadata & { publication: PublicationFact };
        return { customer: simpleCustomer(now), ...more, publication: publicationSubject(publication, now) };
      }
      if (data.referrer_id === undefined) return { customer: renderCustomer(now, blocks), ...data };
      const { referrer_id, ...shown } = data;
      const referrer = referrers.get(referrer_id ?? '');
      return {
        customer: renderCustomer(now, blocks),
        referrer: referrer ? simpleCustomer(referrer) : null,
        ...shown,
      };
    };
    return (row) => ({
      id: row.id,
      type: row.type,
      data: { data: dataOf(row), event_source: row.source },
      created_at: row.created_at.toISOString(),
      group_id: row.group_id,
    });
  }
}
