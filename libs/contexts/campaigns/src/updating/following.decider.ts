import { isDeepStrictEqual } from 'node:util';
import type { VoucherEvent, VoucherSnapshot, VoucherTemplate } from '@scrip/contracts/campaigns';
import type { Instant, Metadata } from '@scrip/contracts/snapshot';
import { metadataField } from '../voucher/voucher-template';
import type { VoucherState } from '../voucher/voucher.decider';
import { metadataChangeOf } from './metadata-change';
import type { FollowedChange } from './update.decider';

/** A voucher with a stream of its own is to follow its campaign. */
export interface FollowCampaign extends FollowedChange {
  async_action_id: string;
  now: Instant;
}

type Field = keyof FollowedChange['after'];

/** What of a field is compared: of a category its id, as vouchers and campaigns note it as it was at different times. */
const comparedOf = (of: Partial<VoucherTemplate>, field: Field): unknown => {
  switch (field) {
    case 'redemption':
      return of.redemption?.quantity;
    case 'category':
    case 'category_id':
    case 'categories':
      return of.categories?.[0]?.id;
    default:
      return of[field];
  }
};

const saysAs = (voucher: VoucherSnapshot, field: Field, inherited: Partial<VoucherTemplate>): boolean =>
  isDeepStrictEqual(comparedOf(voucher, field), comparedOf(inherited, field));

/** Whether the voucher still says what it inherited: what the revision of its definition says, or what it took over from the change
 *  before, which no revision of its own says. */
const inherits = (
  { voucher, definition }: VoucherState,
  field: Field,
  before: Partial<VoucherTemplate>,
): boolean =>
  !definition?.ownFields.includes(field) &&
  (saysAs(voucher, field, before) ||
    (definition !== undefined && saysAs(voucher, field, definition.template)));

const saysKeyAs = (metadata: Metadata, key: string, inherited: Metadata | undefined): boolean =>
  isDeepStrictEqual(
    [Object.hasOwn(metadata, key), metadata[key]],
    [inherited !== undefined && Object.hasOwn(inherited, key), inherited?.[key]],
  );

/** As `inherits`, of one key of metadata: a voucher with keys of its own follows in the others. */
const inheritsKey = (
  { voucher: { metadata }, definition }: VoucherState,
  key: string,
  before: Metadata | undefined,
): boolean =>
  !definition?.ownFields.includes('metadata') &&
  !definition?.ownFields.includes(metadataField(key)) &&
  (saysKeyAs(metadata, key, before) ||
    (definition !== undefined && saysKeyAs(metadata, key, definition.template.metadata)));

/** The voucher's metadata with the keys that it inherited as the campaign has them now. */
const metadataAfter = (
  state: VoucherState,
  before: Metadata | undefined,
  after: Metadata | undefined,
): Metadata => {
  const { set, unset } = metadataChangeOf(before, after);
  const follows = (key: string) => inheritsKey(state, key, before);
  const kept = Object.entries(state.voucher.metadata).filter(
    ([key]) => !(unset.includes(key) && follows(key)),
  );
  return Object.fromEntries([...kept, ...Object.entries(set).filter(([key]) => follows(key))]);
};

const isFree = ({ publish, redemption }: VoucherSnapshot): boolean =>
  publish.count === 0 && redemption.redeemed_quantity === 0;

/** Takes over what the voucher inherited and the campaign changed, of metadata each key by itself; empty where it was published or
 *  redeemed, or says all of it itself. Source: reference 04 §4.3. */
export const decideFollowing = (
  { before, after, async_action_id, now }: FollowCampaign,
  state: VoucherState | undefined,
): VoucherEvent[] => {
  if (!state || state.deleted_at || !isFree(state.voucher)) return [];
  const { voucher } = state;
  const names = (Object.keys(after) as Field[]).filter(
    (field) => field !== 'metadata' && inherits(state, field, before),
  );
  const fields: Partial<VoucherSnapshot> = Object.fromEntries(
    names.map((field) => [
      field,
      field === 'redemption' ? { ...voucher.redemption, quantity: after.redemption!.quantity } : after[field],
    ]),
  );
  const metadata = metadataAfter(state, before.metadata, after.metadata);
  if (!isDeepStrictEqual(metadata, voucher.metadata)) fields.metadata = metadata;
  const differs = Object.entries(fields).some(
    ([field, value]) => !isDeepStrictEqual(voucher[field as Field], value),
  );
  return differs
    ? [{ type: 'VoucherFollowedCampaign', data: { async_action_id, fields, updated_at: now } }]
    : [];
};
