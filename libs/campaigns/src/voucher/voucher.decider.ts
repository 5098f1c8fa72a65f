import type {
  CampaignSnapshot,
  Instant,
  VoucherEvent,
  VoucherSnapshot,
  VoucherTemplate,
} from '@scrip/contracts';
import { type Refusal, refuse } from '@scrip/kernel';

/** A voucher and the form of its code that is unique in the project. */
export interface VoucherState {
  voucher: VoucherSnapshot;
  code_key: string;
}

/** Creates one voucher with exactly this code. */
export interface CreateVoucher {
  voucher: VoucherSnapshot;
  code_key: string;
  campaign: CampaignSnapshot | null;
  /** The campaign existed before. */
  addition: boolean;
}

/** What the error body says of a code or id that does not exist. */
export const voucherNotFound = (codeOrId: string): Refusal =>
  refuse('not_found', `Cannot find voucher with id ${codeOrId}`, {
    resourceId: codeOrId,
    resourceType: 'voucher',
  });

/** The voucher made from an immutable definition, as long as it has no events of its own. */
export const voucherOf = (
  template: VoucherTemplate,
  own: { id: string; code: string; created_at: Instant },
): VoucherSnapshot => ({ ...template, ...own });

const withUses = (state: VoucherState, redeemed_quantity: number): VoucherState => ({
  ...state,
  voucher: { ...state.voucher, redemption: { ...state.voucher.redemption, redeemed_quantity } },
});

/** Copies what events say; never decides. */
export const evolveVoucher = (state: VoucherState | undefined, event: VoucherEvent): VoucherState => {
  if (event.type === 'VoucherCreated') return { voucher: event.data.voucher, code_key: event.data.code_key };
  if (!state) throw new Error(`${event.type} of a voucher that does not exist`);
  switch (event.type) {
    case 'VoucherQuantityConsumed':
    case 'VoucherQuantityRestored':
      return withUses(state, event.data.redeemed_quantity);
    default:
      return event satisfies never;
  }
};

/** Empty where the voucher was created under this id before. Source: spec 04 §4.6. */
export const createVoucher = (command: CreateVoucher, state: VoucherState | undefined): VoucherEvent[] =>
  state ? [] : [{ type: 'VoucherCreated', data: command }];
