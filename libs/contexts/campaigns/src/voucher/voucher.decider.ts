import type {
  CampaignSnapshot,
  GiftSnapshot,
  VoucherEvent,
  VoucherHolds,
  VoucherPublished,
  VoucherSnapshot,
  VoucherTemplate,
} from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import { notFound } from '@scrip/kernel';
import type { UsableCampaign } from '@scrip/vouchers';

/** A voucher and the form of its code that is unique in the project. */
export interface VoucherState {
  voucher: VoucherSnapshot;
  /** Null once the voucher is deleted for good: its code is free. */
  code_key: string | null;
  /** When it was deleted; absent while calls find it. */
  deleted_at?: Instant;
  /** Of a generated voucher: the revision of its definition that its row names, else the newest one. */
  definition?: DefinitionRevision;
  /** What sessions hold of it; absent for nothing. */
  holds?: VoucherHolds;
  /** What of its campaign decides about its use, as it was read with the voucher: no event tells it, no row of the voucher
   *  stores it. Absent where the voucher was not read from its row; null for a standalone one. */
  campaign?: CampaignOfVoucher | null;
}

/** What of a campaign decides about uses of its vouchers. */
export interface CampaignOfVoucher extends UsableCampaign {
  /** Absent = no. */
  deleted?: boolean;
}

/** Whether no call finds a voucher any more: it is deleted, or its campaign is. */
export const isDeleted = ({ deleted_at, campaign }: VoucherState): boolean =>
  deleted_at !== undefined || campaign?.deleted === true;

/** An immutable revision of what generated vouchers are made from. */
export interface DefinitionRevision {
  revision: number;
  template: VoucherTemplate;
  /** A newer revision says otherwise what lists filter by. */
  parted: boolean;
  /** Fields that the code order set itself: no change of the campaign reaches them. */
  ownFields: readonly string[];
}

/** What can be asked of a voucher's stream: to create one voucher with exactly this code. */
export interface VoucherCommand {
  type: 'CreateVoucher';
  voucher: VoucherSnapshot;
  code_key: string;
  campaign: CampaignSnapshot | null;
  /** The campaign existed before. */
  addition: boolean;
  /** False: no webhook tells of it. */
  notify?: boolean;
}

/** What the error body says of a code or id that does not exist. */
export const voucherNotFound = (codeOrId: string) => notFound('voucher', codeOrId);

/** The voucher made from an immutable definition, as long as it has no events of its own. */
export const voucherOf = (
  template: VoucherTemplate,
  own: { id: string; code: string; created_at: Instant },
): VoucherSnapshot => ({ ...template, ...own });

/** `at`: null where a release that recorded no instant stored the event; `updated_at` stays then. */
const withUses = (
  { voucher, ...state }: VoucherState,
  redeemed_quantity: number,
  at: Instant | null,
): VoucherState => ({
  ...state,
  voucher: {
    ...voucher,
    redemption: { ...voucher.redemption, redeemed_quantity },
    updated_at: at ?? voucher.updated_at,
  },
});

const withGift = (
  { voucher, ...state }: VoucherState,
  gift: GiftSnapshot | null,
  updated_at: Instant,
): VoucherState => ({ ...state, voucher: { ...voucher, gift, updated_at } });

/** When the balance changed is told by the card's uses. */
const withBalance = ({ voucher, ...state }: VoucherState, balance: number): VoucherState => ({
  ...state,
  voucher: { ...voucher, gift: voucher.gift && { ...voucher.gift, balance } },
});

const withHolds = ({ holds: _, ...state }: VoucherState, holds: VoucherHolds | null): VoucherState =>
  holds ? { ...state, holds } : state;

const published = (
  { voucher, ...state }: VoucherState,
  { holder_id, referrer_id, start_date, expiration_date, published_at }: VoucherPublished['data'],
): VoucherState => ({
  ...state,
  voucher: {
    ...voucher,
    holder_id,
    referrer_id,
    start_date,
    expiration_date,
    publish: { count: 1 },
    updated_at: published_at,
  },
});

/** Copies what events say. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveVoucher = (
  state: VoucherState | undefined,
  event: VoucherEvent,
): VoucherState | undefined => {
  if (event.type === 'VoucherCreated') return { voucher: event.data.voucher, code_key: event.data.code_key };
  if (!state) return undefined;
  switch (event.type) {
    case 'VoucherFieldsChanged':
    case 'VoucherFollowedCampaign': {
      const { fields, updated_at } = event.data;
      return { ...state, voucher: { ...state.voucher, ...fields, updated_at } };
    }
    case 'VoucherImported':
      return { ...state, voucher: { ...state.voucher, ...event.data.own } };
    case 'VoucherPublished':
      return published(state, event.data);
    case 'VoucherQuantityConsumed':
      return withUses(state, event.data.redeemed_quantity, event.data.consumed_at);
    case 'VoucherQuantityRestored':
      return withUses(state, event.data.redeemed_quantity, event.data.restored_at);
    case 'GiftCreditsAdjusted':
      return withGift(state, event.data.voucher.gift, event.data.transaction.created_at);
    case 'GiftCreditsRedeemed':
      return withBalance(state, event.data.transaction.balance);
    case 'GiftCreditsRefunded':
      return withBalance(state, event.data.balance);
    case 'VoucherHeld':
    case 'VoucherHoldsEnded':
      return withHolds(state, event.data.holds);
    case 'VoucherDeleted': {
      const { deleted_at, permanent } = event.data;
      return { ...state, deleted_at, code_key: permanent ? null : state.code_key };
    }
    case 'VoucherPurged':
      return { ...state, code_key: null };
    case 'VoucherUpdated':
    case 'VoucherEnabled':
    case 'VoucherDisabled':
      return { ...state, voucher: event.data.voucher };
    default:
      return event satisfies never;
  }
};

/** Empty where the voucher was created under this id before. Source: reference 04 §4.6. */
export const decideVoucher = (
  { type: _, ...data }: VoucherCommand,
  state: VoucherState | undefined,
): VoucherEvent[] => (state ? [] : [{ type: 'VoucherCreated', data }]);
