import { Injectable } from '@nestjs/common';
import type { VoucherEvent } from '@scrip/contracts/campaigns';
import {
  type AggregateStore,
  EventStore,
  InjectEventStore,
  type NewStream,
  StaleRow,
} from '@scrip/event-store';
import { type BusinessClock, isRefused, newId, type RequestContext } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { type ItemOutcome, outcomeOf } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { campaignsRefusals, type CampaignsRefusal } from '../campaigns.refusals';
import { Categories } from '../categories/categories.table';
import { foldCode } from '../generation/code-config';
import { categoryFields } from '@scrip/incentives';
import { creationRow } from '@scrip/incentives/rules';
import { duplicateVoucher, voucherAggregate } from '../voucher/voucher.aggregate';
import { decideVoucher, evolveVoucher, voucherOf, type VoucherState } from '../voucher/voucher.decider';
import { type RuledImports, ruledName } from './rules-of-imports';
import { type StandaloneVoucher, standaloneTemplate } from './standalone-voucher';
import { changeMember, isStoredIn, type SetMember, VoucherSets } from './voucher-set';

type Outcome = Pick<ItemOutcome, 'found' | 'updated'> | CampaignsRefusal;

interface ChunkOfVouchers {
  vouchers: readonly StandaloneVoucher[];
  check: CheckMetadata;
  /** Rows of a file: a standalone voucher that exists is changed, by its switch and its category. */
  isFile: boolean;
  /** Webhooks tell of each row. */
  notify: boolean;
  /** What was assigned to those with rules. */
  ruled?: RuledImports;
}

/** Stores standalone vouchers by the set, for background work. Source: reference 04 §5. */
@Injectable()
export class ImportStandalone {
  private readonly vouchers: AggregateStore<VoucherState, VoucherEvent>;

  constructor(
    @InjectEventStore('campaigns') store: EventStore,
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly categories: Categories,
    private readonly sets: VoucherSets,
  ) {
    this.vouchers = store.aggregate(voucherAggregate);
  }

  /** Stores a chunk in the transaction of `manager`: one query locks the vouchers that exist, one statement creates what is new,
   *  one changes the others. Returns an outcome for each. Throws `UniqueViolation` where another call takes one of the codes
   *  meanwhile. */
  async store(
    manager: EntityManager,
    context: RequestContext,
    { vouchers, check, isFile, notify, ruled = new Map() }: ChunkOfVouchers,
  ): Promise<ItemOutcome[]> {
    const { project } = context;
    const keys = vouchers.map(({ code }) => foldCode(code, project.caseSensitiveCodes));
    const at = this.clock.now(project);
    const now = at.toISOString();
    const named = vouchers.flatMap(({ body: { category, category_id } }) => category_id ?? category ?? []);
    // Categories before vouchers, as imports into campaigns lock them.
    const categories = await this.categories.resolve(manager, project.id, named, at);
    const stored = await this.sets.lock(manager, project.id, keys);
    const created = new Map<string, SetMember & { ruled: boolean }>();

    const take = (sent: StandaloneVoucher, code_key: string): Outcome => {
      const { code, body } = sent;
      const known = stored.get(code_key) ?? created.get(code_key);
      if (known && (!isFile || !isStoredIn(known, null))) return duplicateVoucher(code);
      const name = body.category_id ?? body.category ?? null;
      const category = name === null ? null : (categories.get(name) ?? null);
      if (isRefused(category)) return category;
      if (known) {
        const changes = {
          ...(typeof body.active === 'boolean' ? { active: body.active } : {}),
          ...(category === null ? {} : categoryFields(category)),
        };
        const updated = changeMember(known, { changes, notify, now });
        return isRefused(updated) ? updated : { found: true, updated };
      }
      const template = standaloneTemplate(sent, category);
      if (isRefused(template)) return template;
      const misfit = check(template.metadata);
      if (misfit) return misfit;
      const id = sent.rule === undefined ? newId('v_') : ruled.get(ruledName(code_key, sent.rule));
      // Another voucher had the code when rules were assigned: they are assigned anew.
      if (id === undefined) throw new StaleRow('vouchers');
      if (isRefused(id)) return id;
      const voucher = voucherOf(template, { id, code, created_at: now });
      const command = {
        type: 'CreateVoucher' as const,
        voucher,
        code_key,
        campaign: null,
        addition: false,
        notify,
      };
      const member = newMember(id, decideVoucher(command, undefined));
      created.set(code_key, { ...member, ruled: sent.rule !== undefined });
      return { found: false, updated: true };
    };

    const outcomes = vouchers.map((sent, index) => take(sent, keys[index]!));
    const streams = [...created.values()].map(
      ({ id, events, ruled: withRules }): NewStream<VoucherEvent> => ({
        streamId: id,
        events,
        ...(withRules && { rows: [creationRow(project.id, id)] }),
      }),
    );
    if (streams.length > 0) await this.vouchers.createMany(manager, context, streams);
    await this.sets.store(manager, context, stored);
    return outcomes.map((outcome) => outcomeOf(outcome, [campaignsRefusals]));
  }
}

/** A voucher that is about to be created, for further rows with its code. */
const newMember = (id: string, events: VoucherEvent[]): SetMember => {
  const state = events.reduce<VoucherState | undefined>(evolveVoucher, undefined);
  if (!state) throw new Error(`nothing creates voucher ${id}`);
  return { id, stored: { state, version: 0, epoch: 0 }, state, events };
};
