import type { Instant } from '@scrip/contracts/snapshot';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { VoucherEvent } from '@scrip/contracts/campaigns';
import { type AggregateStore, EventStore, InjectEventStore, runQuery } from '@scrip/event-store';
import { derivedIds, type RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { filterableSql } from '../voucher/filterable-fields';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import type { VoucherState } from '../voucher/voucher.decider';
import { decideFollowing, type FollowCampaign } from './following.decider';
import type { ChunkEnd, Progress } from './update-progress';

/** A chunk of vouchers that are to follow. */
interface Chunk extends FollowCampaign {
  campaign_id: string;
  /** When the task was enqueued: events of a chunk that is taken again have the ids of before. */
  enqueued_at: Instant;
  progress: Progress;
}

const ownMax = 500;
const sharedMax = 5_000;

const isFree = `coalesce(t.state->'voucher'->'redemption'->>'redeemed_quantity', '0') = '0'
  AND coalesce(t.state->'voucher'->'publish'->>'count', '0') = '0'`;

const chunkOf = (where: string, limit: number): string => `
  WITH chunk AS (
    SELECT t.id, t.created_at, t.definition_id IS NOT NULL AND t.definition_revision IS NULL AS follows,
      t.state IS NOT NULL AND ${isFree} AS is_free
    FROM vouchers t WHERE t.project_id = $1 AND ${where} AND t.deleted_at IS NULL AND (t.created_at, t.id) > ($3::timestamptz, $4)
    ORDER BY t.created_at, t.id LIMIT ${limit}
  )
  SELECT count(*)::int AS size, (count(*) FILTER (WHERE follows))::int AS follow,
    coalesce(array_agg(id) FILTER (WHERE is_free), '{}') AS free,
    (SELECT json_build_object('created_at', l.created_at::text, 'id', l.id) FROM chunk l
     ORDER BY l.created_at DESC, l.id DESC LIMIT 1) AS last
  FROM chunk`;

const ownChunk = chunkOf('t.campaign_id = $2 AND t.filterable IS NOT NULL', ownMax);
const sharedChunk = chunkOf('t.definition_id = $2 AND t.filterable IS NULL', sharedMax);

const nextDefinition = `
  SELECT min(d.id) AS id FROM voucher_definitions d
  WHERE d.project_id = $1 AND d.template->>'campaign_id' = $2 AND d.newest AND d.id > $3`;

// Their columns are what lists find them by; their state and version stay. They are locked in the order of ids, as by every
// statement that locks several: none waits for another in a circle.
const sayThemselves = `
  WITH w AS MATERIALIZED (
    SELECT u.project_id, u.id, u.definition_id, u.definition_revision, u.state FROM vouchers u
    JOIN voucher_definitions p ON p.project_id = u.project_id AND p.id = u.definition_id
      AND p.revision = u.definition_revision AND p.parted
    WHERE u.project_id = $1 AND u.definition_id = $2 AND u.filterable IS NULL
      AND (u.created_at, u.id) > ($3::timestamptz, $4) AND (u.created_at, u.id) <= ($5::timestamptz, $6)
    ORDER BY u.id FOR NO KEY UPDATE OF u
  )
  UPDATE vouchers t SET filterable = ${filterableSql('v.voucher')},
    start_date = (v.voucher->>'start_date')::timestamptz, expiration_date = (v.voucher->>'expiration_date')::timestamptz
  FROM w
  JOIN voucher_definitions r ON r.project_id = w.project_id AND r.id = w.definition_id AND r.revision = w.definition_revision
  CROSS JOIN LATERAL (SELECT r.template || coalesce(w.state->'voucher', '{}') AS voucher) v
  WHERE t.project_id = w.project_id AND t.id = w.id AND t.filterable IS NULL`;

interface ReadChunk {
  size: number;
  follow: number;
  free: string[];
  last: ChunkEnd | null;
}

const start: ChunkEnd = { created_at: '-infinity', id: '' };

/** Brings the vouchers of a campaign up to its change, chunk by chunk. */
@Injectable()
export class FollowingVouchers {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** Returns the progress after the next chunk. Called again with the same progress, it changes nothing twice and returns the
   *  same. */
  async follow(context: RequestContext, chunk: Chunk): Promise<Progress> {
    const { progress } = chunk;
    switch (progress.phase) {
      case 'OWN':
        return this.followOwn(context, chunk, progress);
      case 'SHARED':
        return this.followShared(context, chunk, progress);
      case 'DONE':
        return progress;
    }
  }

  private async followOwn(
    context: RequestContext,
    chunk: Chunk,
    progress: Extract<Progress, { phase: 'OWN' }>,
  ): Promise<Progress> {
    const read = await this.read(context, ownChunk, chunk.campaign_id, progress.after);
    const count = progress.count + (await this.change(context, chunk, read.free));
    return read.size === ownMax
      ? { ...progress, after: read.last, count }
      : this.next(context, chunk, '', count);
  }

  private async followShared(
    context: RequestContext,
    chunk: Chunk,
    progress: Extract<Progress, { phase: 'SHARED' }>,
  ): Promise<Progress> {
    const { definition_id, after } = progress;
    const read = await this.read(context, sharedChunk, definition_id, after);
    const count = progress.count + read.follow + (await this.change(context, chunk, read.free));
    if (read.last) {
      const [from, to] = [after ?? start, read.last];
      const range = [from.created_at, from.id, to.created_at, to.id];
      await runQuery(this.dataSource, sayThemselves, [context.project.id, definition_id, ...range]);
    }
    return read.size === sharedMax
      ? { ...progress, after: read.last, count }
      : this.next(context, chunk, definition_id, count);
  }

  private async next(
    { project }: RequestContext,
    { campaign_id }: Chunk,
    after: string,
    count: number,
  ): Promise<Progress> {
    const [row] = await runQuery<{ id: string | null }>(this.dataSource, nextDefinition, [
      project.id,
      campaign_id,
      after,
    ]);
    return row?.id
      ? { phase: 'SHARED', definition_id: row.id, after: null, count }
      : { phase: 'DONE', count };
  }

  private async read(
    { project }: RequestContext,
    text: string,
    of: string,
    after: ChunkEnd | null,
  ): Promise<ReadChunk> {
    const { created_at, id } = after ?? start;
    const [read] = await runQuery<ReadChunk & Record<string, unknown>>(this.dataSource, text, [
      project.id,
      of,
      created_at,
      id,
    ]);
    if (!read) throw new Error('a chunk of vouchers was asked for and nothing answered');
    return read;
  }

  /** Each through its own stream. Returns how many were changed by this task in this phase, now or by an attempt that was
   *  interrupted. */
  private async change(context: RequestContext, chunk: Chunk, ids: readonly string[]): Promise<number> {
    const { before, after, async_action_id, enqueued_at, now, progress } = chunk;
    const ends = await Promise.all(
      ids.map((id) =>
        this.vouchers.execute<number>({
          context,
          streamId: id,
          eventIds: derivedIds({
            createdAt: new Date(enqueued_at),
            commandId: `${async_action_id} ${progress.phase} ${id}`,
          }),
          repeated: () => 1,
          decide: (state) => {
            const events = decideFollowing({ before, after, async_action_id, now }, state);
            return { events, answer: events.length };
          },
        }),
      ),
    );
    return ends.reduce((sum: number, end) => sum + (end as number), 0);
  }
}
