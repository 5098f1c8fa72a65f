import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { HolderSnapshot, PublicationEvent } from '@scrip/contracts/campaigns';
import { type CustomersPort, customersPort, storedUnder } from '@scrip/contracts/customers';
import { type AggregateStore, type EventStore, InjectEventStore } from '@scrip/event-store';
import { type BusinessClock, type IdSource, type RequestContext, isRefused, refuse } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectPort } from '@scrip/rpc';
import { InjectBusinessClock } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusal, CampaignsRefusalKey } from '../campaigns.refusals';
import { publicationAggregate } from '../publication/publication.aggregate';
import type { PublicationState } from '../publication/publication.decider';
import { holderDeleted, holderInserted, holderOfCode, holdersAmong } from '../holder/holder.table';
import type { HoldersRequest } from './holders-request';
import {
  type AssignReferees,
  assignReferees,
  namedOnce,
  notAssignedYet,
  type ReferralCode,
  unassignReferee,
} from './referee.decider';
import { type NamedMember, ReferralCodes } from './referral-codes.reads';

/** Adds customers to referral codes and takes them off. Each decision is made under the lock of the code's publication, which
 *  tells of its holders. Source: reference 04 §11. */
@Injectable()
export class RefereeHandlers {
  private readonly publications: AggregateStore<PublicationState, PublicationEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly metadata: MetadataSchemas,
    private readonly codes: ReferralCodes,
  ) {
    this.publications = store.aggregate(publicationAggregate);
  }

  /** Assigns all customers or none. They are stored once all that is known says that they can be assigned. Repeated under the
   *  same ids it answers the entries that exist. */
  async assign(
    context: RequestContext,
    ids: IdSource,
    named: NamedMember,
    { customers, metadata }: HoldersRequest,
  ): Promise<HolderSnapshot[] | CampaignsRefusal> {
    const code = await this.publishedCode(context, named);
    if (isRefused(code)) return code;
    const misfit = (await this.metadata.checkOf(context, 'publication'))(metadata);
    if (misfit) return misfit;
    const holderIds = customers.map((_, place) => ids.next('rh_', `holder:${place}`));
    const asked = {
      customers: customers.map((customer, place) => ({
        customer,
        ...storedUnder(ids, `customer:${place}`),
      })),
    };
    const known = await this.customers.resolveAll(context, { ...asked, store: false });
    if (isRefused(known)) return known;
    const refusal =
      namedOnce(known.map(({ id, source_id }) => id || (source_id ?? ''))) ??
      (await this.assignable(context, code, refereesOf(known, holderIds)));
    if (refusal) return refusal;
    const stored = await this.customers.resolveAll(context, { ...asked, store: true });
    if (isRefused(stored)) return stored;
    const now = this.clock.now(context.project).toISOString();
    return this.write(context, { ...code, referees: refereesOf(stored, holderIds), metadata, now });
  }

  /** Takes a referee off a code. */
  async unassign(
    context: RequestContext,
    named: NamedMember,
    holderId: string,
  ): Promise<CampaignsRefusal | null> {
    const code = await this.codes.find(context, named);
    if (isRefused(code)) return code;
    const projectId = context.project.id;
    if (code.publication_id === null) {
      const refused = unassignReferee(holderId, null, code);
      return isRefused(refused) ? refused : null;
    }
    const answer = await this.publications.executeLocked<null, CampaignsRefusalKey>({
      context,
      streamId: code.publication_id,
      decide: async (_state, read) => {
        const holder = await holderOfCode(read, projectId, { voucherId: code.voucher.id, id: holderId });
        const event = unassignReferee(holderId, holder, code);
        if (isRefused(event)) return event;
        return { events: [event], rows: [holderDeleted(projectId, event.data.holder)], answer: null };
      },
    });
    return isRefused(answer) ? answer : null;
  }

  private async publishedCode(
    context: RequestContext,
    named: NamedMember,
  ): Promise<ReferralCode | CampaignsRefusal> {
    const found = await this.codes.find(context, named);
    if (isRefused(found)) return found;
    const { publication_id } = found;
    return publication_id === null
      ? refuse(
          'not_published',
          'Referral code must be first published to Referrer before assigning it to Referee',
        )
      : { ...found, publication_id };
  }

  private async assignable(
    { project }: RequestContext,
    { voucher }: ReferralCode,
    referees: AssignReferees['referees'],
  ): Promise<CampaignsRefusal | null> {
    const customerIds = referees.flatMap(({ customer_id }) => customer_id || []);
    if (customerIds.length === 0) return null;
    const existing = await holdersAmong(this.dataSource, project.id, {
      voucherId: voucher.id,
      customerIds,
    });
    return notAssignedYet(existing, referees);
  }

  private write(
    context: RequestContext,
    command: AssignReferees,
  ): Promise<HolderSnapshot[] | CampaignsRefusal> {
    const projectId = context.project.id;
    const { publication_id: streamId, voucher, referees } = command;
    return this.publications.executeLocked<HolderSnapshot[], CampaignsRefusalKey>({
      context,
      streamId,
      decide: async (_state, read) => {
        const customerIds = referees.map(({ customer_id }) => customer_id);
        const existing = await holdersAmong(read, projectId, { voucherId: voucher.id, customerIds });
        const events = assignReferees(command, existing);
        if (isRefused(events)) return events;
        const added = events.map(({ data: { holder } }) => holder);
        const all = new Map([...existing, ...added].map((holder) => [holder.id, holder]));
        return {
          events,
          rows: added.map((holder) => holderInserted(projectId, holder)),
          answer: referees.map(({ holder_id }) => all.get(holder_id)!),
        };
      },
    });
  }
}

const refereesOf = (
  customers: readonly { id: string }[],
  holderIds: readonly string[],
): AssignReferees['referees'] =>
  customers.map(({ id }, place) => ({ customer_id: id, holder_id: holderIds[place]! }));
