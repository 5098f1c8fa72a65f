import type { CampaignSnapshot, VoucherEvent, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { Instant, Metadata } from '@scrip/contracts/snapshot';
import { changedCategory, windowsMustBeSound } from '@scrip/incentives';
import { isRefused, refuse } from '@scrip/kernel';
import { changedRecord, type CheckMetadata } from '@scrip/metadata-schemas';
import type { CampaignsRefusal } from '../../campaigns.refusals';
import { isDeleted, type VoucherState, voucherNotFound } from '../voucher.decider';

const windows = [
  'start_date',
  'expiration_date',
  'validity_timeframe',
  'validity_day_of_week',
  'validity_hours',
] as const satisfies (keyof VoucherSnapshot)[];

/** What a call changes of a voucher; absent fields stay. `metadata` are merged by key, null clears them. */
export type VoucherChanges = Partial<
  Pick<
    VoucherSnapshot,
    | (typeof windows)[number]
    | 'category'
    | 'category_id'
    | 'categories'
    | 'discount'
    | 'active'
    | 'additional_info'
  > & { metadata: Metadata | null }
>;

interface Addressed {
  id: string;
  /** For those who hear of it; null for a standalone voucher. */
  campaign: CampaignSnapshot | null;
  now: Instant;
}

/** What can be asked of a voucher that exists. `bulk`: one of many in one call, which no webhook tells of. */
export type EditingCommand =
  | ({
      type: 'UpdateVoucher';
      changes: VoucherChanges;
      check?: CheckMetadata;
      bulk: boolean;
    } & Addressed)
  | ({ type: 'EnableVoucher' | 'DisableVoucher' } & Addressed);

const discountMustKeepItsType = (
  { discount, type }: VoucherSnapshot,
  { discount: sent }: VoucherChanges,
): CampaignsRefusal | null => {
  if (!discount || sent === undefined) return null;
  if (sent === null) return refuse('invalid_voucher', `Property 'discount' is required for ${type} voucher`);
  return discount.type === sent.type
    ? null
    : refuse('invalid_voucher', 'It is not possible to change Voucher discount type');
};

/** Windows are held against those that stay; a change without any is not judged. */
const windowsMustFit = (voucher: VoucherSnapshot, changes: VoucherChanges): CampaignsRefusal | null =>
  windows.some((name) => changes[name] !== undefined) ? windowsMustBeSound({ ...voucher, ...changes }) : null;

/** Of vouchers that give none, a sent discount is ignored, and so is the category that the voucher has. */
const ownChanges = (voucher: VoucherSnapshot, changes: VoucherChanges): VoucherChanges => {
  const { discount, category: _, category_id, categories = [], ...rest } = changes;
  return {
    ...rest,
    ...(category_id === undefined ? {} : changedCategory(voucher, categories[0] ?? null)),
    ...(voucher.discount && discount !== undefined ? { discount } : {}),
  };
};

/** What the sent fields of a voucher say after a change. */
const fieldsAfter = (changed: VoucherSnapshot, sent: Partial<VoucherSnapshot>): Partial<VoucherSnapshot> =>
  Object.fromEntries(Object.keys(sent).map((field) => [field, changed[field as keyof VoucherSnapshot]]));

const switched = (voucher: VoucherSnapshot, campaign: CampaignSnapshot | null): VoucherEvent => ({
  type: voucher.active ? 'VoucherEnabled' : 'VoucherDisabled',
  data: { voucher, campaign },
});

/** What follows from a change of a voucher; empty where it changes nothing. An update that switches the
 *  voucher says so by an event of its own too, unless it is one of many. Refuses `not_found`, `invalid_voucher` for
 *  another type of discount, `invalid_payload` for windows that cannot be and metadata that grew too large, and
 *  `metadata_validation_failed`. Source: reference 04 §5. */
export const decideEditing = (
  command: EditingCommand,
  state: VoucherState | undefined,
): VoucherEvent[] | CampaignsRefusal => {
  const { id, campaign, now } = command;
  if (!state || isDeleted(state)) return voucherNotFound(id);
  const { voucher } = state;
  if (command.type !== 'UpdateVoucher') {
    const active = command.type === 'EnableVoucher';
    return voucher.active === active ? [] : [switched({ ...voucher, active, updated_at: now }, campaign)];
  }
  const { check, bulk } = command;
  const changes = ownChanges(voucher, command.changes);
  const misfit = discountMustKeepItsType(voucher, changes) ?? windowsMustFit(voucher, changes);
  if (misfit) return misfit;
  const { metadata, ...others } = changes;
  const sent = metadata === undefined ? others : { ...others, metadata: metadata ?? {} };
  const rule = metadata === null ? 'replace' : 'merge';
  const changed = changedRecord<VoucherSnapshot>(voucher, sent, { rule, check });
  if (changed === null || isRefused(changed)) return changed ?? [];
  if (bulk)
    return [{ type: 'VoucherFieldsChanged', data: { fields: fieldsAfter(changed, sent), updated_at: now } }];
  const after = { ...changed, updated_at: now };
  const updated: VoucherEvent = {
    type: 'VoucherUpdated',
    data: { voucher: after, campaign, bulk, notify: true },
  };
  return after.active !== voucher.active ? [updated, switched(after, campaign)] : [updated];
};
