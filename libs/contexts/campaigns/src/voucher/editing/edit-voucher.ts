import { Injectable } from '@nestjs/common';
import type { VoucherEvent, VoucherSnapshot } from '@scrip/contracts/campaigns';
import { type AggregateStore, decisionOf, EventStore, InjectEventStore } from '@scrip/event-store';
import { readDiscount, storedWindows, categoryFields } from '@scrip/incentives';
import { type BusinessClock, type IdSource, isRefused, type RequestContext, refuse } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectBusinessClock } from '@scrip/service';
import type { CampaignsRefusal, CampaignsRefusalKey } from '../../campaigns.refusals';
import { Categories } from '../../categories/categories.table';
import { Redeemables } from '../redeemables';
import { voucherAggregate } from '../voucher.aggregate';
import type { VoucherState } from '../voucher.decider';
import { decideEditing, type EditingCommand, type VoucherChanges } from './editing.decider';
import type { UpdateVoucherBody } from './update-voucher.dto';

type Unaddressed<Command> = Command extends unknown ? Omit<Command, 'id' | 'campaign' | 'now'> : never;

const recurring = ['validity_timeframe', 'validity_day_of_week', 'validity_hours'] as const;

/** The sent windows as they are stored. */
const windowsOf = (body: UpdateVoucherBody): VoucherChanges => {
  const stored = storedWindows(body);
  const sent = recurring.filter((name) => body[name] !== undefined);
  return {
    ...(body.start_date === undefined ? {} : { start_date: body.start_date }),
    ...(body.expiration_date === undefined ? {} : { expiration_date: body.expiration_date }),
    ...Object.fromEntries(sent.map((name) => [name, stored[name]])),
  };
};

/** Changes single vouchers, whatever made them. Source: reference 04 §5. */
@Injectable()
export class EditVoucher {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly categories: Categories,
    private readonly redeemables: Redeemables,
    private readonly metadata: MetadataSchemas,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** Changes what was sent of a voucher named by id or code. Refuses `not_found` (voucher, category), `invalid_payload`,
   *  `invalid_voucher` and `metadata_validation_failed`. */
  async update(
    context: RequestContext,
    ids: IdSource,
    { codeOrId, body }: { codeOrId: string; body: UpdateVoucherBody },
  ): Promise<VoucherSnapshot | CampaignsRefusal> {
    const changes = await this.changesOf(context, ids, body);
    if (isRefused(changes)) return changes;
    const check = await this.metadata.checkOf(context, 'voucher');
    const command = { type: 'UpdateVoucher' as const, changes, check, bulk: false };
    return this.execute(context, ids, codeOrId, command);
  }

  /** Switches a voucher named by id or code. Refuses `not_found`. */
  switch(
    context: RequestContext,
    ids: IdSource,
    { codeOrId, active }: { codeOrId: string; active: boolean },
  ): Promise<VoucherSnapshot | CampaignsRefusal> {
    return this.execute(context, ids, codeOrId, { type: active ? 'EnableVoucher' : 'DisableVoucher' });
  }

  private async changesOf(
    context: RequestContext,
    ids: IdSource,
    body: UpdateVoucherBody,
  ): Promise<VoucherChanges | CampaignsRefusal> {
    if (body.category && body.category_id) {
      return refuse('invalid_payload', 'Only one of .category and .category_id can be given');
    }
    const discount = body.discount ? readDiscount(body.discount, '.discount') : body.discount;
    if (isRefused(discount)) return discount;
    const category = await this.categories.choose(context, body, ids, this.clock.now(context.project));
    if (isRefused(category)) return category;
    const namesCategory = body.category !== undefined || body.category_id !== undefined;
    return {
      ...windowsOf(body),
      ...(namesCategory ? categoryFields(category) : {}),
      ...(discount === undefined ? {} : { discount }),
      ...(typeof body.active === 'boolean' ? { active: body.active } : {}),
      ...(body.additional_info === undefined ? {} : { additional_info: body.additional_info }),
      ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
    };
  }

  /** Found by a read, decided on the voucher's own stream: against redemptions, one comes after the other. */
  private async execute(
    context: RequestContext,
    ids: IdSource,
    codeOrId: string,
    command: Unaddressed<EditingCommand>,
  ): Promise<VoucherSnapshot | CampaignsRefusal> {
    const found = await this.redeemables.find(context, codeOrId);
    if (isRefused(found)) return found;
    const { voucher, campaign } = found;
    const now = this.clock.now(context.project).toISOString();
    const addressed = { ...command, id: voucher.id, campaign, now } as EditingCommand;
    return this.vouchers.execute<VoucherSnapshot, CampaignsRefusalKey>({
      context,
      streamId: voucher.id,
      eventIds: ids,
      decide: (state) =>
        decisionOf(voucherAggregate, state, decideEditing(addressed, state), (after) => after.voucher),
    });
  }
}
