import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { PublicationEvent, PublicationSnapshot } from '@scrip/contracts/campaigns';
import { type AggregateStore, type EventStore, InjectEventStore, runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { publicationAggregate } from './publication.aggregate';
import type { PublicationState } from './publication.decider';

/** Reads publications as they stand. */
@Injectable()
export class PublicationReads {
  private readonly publications: AggregateStore<PublicationState, PublicationEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
  ) {
    this.publications = store.aggregate(publicationAggregate);
  }

  /** By id. */
  async find({ project }: RequestContext, id: string): Promise<PublicationSnapshot | undefined> {
    return (await this.publications.load(project.id, id))?.state.publication;
  }

  /** The publication that succeeded under a source id. */
  async bySourceId({ project }: RequestContext, sourceId: string): Promise<PublicationSnapshot | undefined> {
    const [row] = await runQuery<{ state: PublicationState }>(
      this.dataSource,
      `SELECT state FROM publications WHERE project_id = $1 AND source_id = $2 AND result = 'SUCCESS'`,
      [project.id, sourceId],
    );
    return row?.state.publication;
  }

  /** The id of the publication by which a customer joined a campaign. */
  async firstOf(
    { project }: RequestContext,
    { campaign_id, customer_id }: { campaign_id: string; customer_id: string },
  ): Promise<string | undefined> {
    const [row] = await runQuery<{ publication_id: string }>(
      this.dataSource,
      'SELECT publication_id FROM campaign_members WHERE project_id = $1 AND campaign_id = $2 AND customer_id = $3',
      [project.id, campaign_id, customer_id],
    );
    return row?.publication_id;
  }
}
