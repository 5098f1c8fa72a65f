import type {
  CampaignSnapshot,
  VoucherEvent,
  VoucherSnapshot,
  VoucherTemplate,
} from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import { notFound } from '@scrip/kernel';

/** A voucher and the form of its code that is unique in the project. */
export interface VoucherState {
  voucher: VoucherSnapshot;
  code_key: string;
  /** Of a generated voucher: the immutable definition that its row names. */
  definition?: VoucherTemplate;
}

/** What can be asked of a voucher's stream: to create one voucher with exactly this code. */
export interface VoucherCommand {
  type: 'CreateVoucher';
  voucher: VoucherSnapshot;
  code_key: string;
  campaign: CampaignSnapshot | null;
  /** The campaign existed before. */
  addition: boolean;
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

/** Copies what events say. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveVoucher = (
  state: VoucherState | undefined,
  event: VoucherEvent,
): VoucherState | undefined => {
  if (event.type === 'VoucherCreated') return { voucher: event.data.voucher, code_key: event.data.code_key };
  if (!state) return undefined;
  switch (event.type) {
    case 'VoucherQuantityConsumed':
      return withUses(state, event.data.redeemed_quantity, event.data.consumed_at);
    case 'VoucherQuantityRestored':
      return withUses(state, event.data.redeemed_quantity, event.data.restored_at);
    default:
      return event satisfies never;
  }
};

/** Empty where the voucher was created under this id before. Source: reference 04 §4.6. */
export const decideVoucher = (
  { type: _, ...data }: VoucherCommand,
  state: VoucherState | undefined,
): VoucherEvent[] => (state ? [] : [{ type: 'VoucherCreated', data }]);
