import type {
  CampaignSnapshot,
  HolderAssigned,
  HolderSnapshot,
  PublicationEvent,
  PublicationFailed,
  PublicationSnapshot,
  PublicationSucceeded,
  VoucherSnapshot,
} from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import type { PublicationRequest } from './publication-request';

/** A publication as its stream tells it. */
export interface PublicationState {
  publication: PublicationSnapshot;
}

/** Who asks for what, when. */
export interface Asked {
  id: string;
  customer_id: string;
  request: Pick<PublicationRequest, 'source' | 'source_id' | 'channel' | 'metadata'>;
  campaign: CampaignSnapshot | null;
  now: Instant;
}

/** Codes for a customer, with an id for each holder. */
export interface Publish extends Asked {
  vouchers: readonly VoucherSnapshot[];
  holderIds: readonly string[];
}

/** An attempt that was refused. `voucher`: the one that was named. */
export interface FailPublication extends Asked {
  voucher: VoucherSnapshot | null;
  failure: { code: string; message: string };
}

const snapshotOf = (
  { id, customer_id, request, campaign, now }: Asked,
  vouchers: readonly VoucherSnapshot[],
): Omit<PublicationSnapshot, 'result' | 'failure_code' | 'failure_message' | 'value'> => {
  const of = vouchers[0] ?? campaign?.voucher;
  if (!of) throw new Error(`publication ${id} has neither vouchers nor a campaign of vouchers`);
  return {
    id,
    customer_id,
    source_id: request.source_id,
    channel: request.channel,
    metadata: request.metadata,
    named: 'voucher' in request.source ? 'voucher' : 'campaign',
    campaign_id: campaign?.id ?? null,
    campaign: campaign?.name ?? null,
    voucher_type: of.type,
    is_referral_code: of.is_referral_code,
    vouchers: vouchers.map((voucher) => ({ id: voucher.id, code: voucher.code })),
    created_at: now,
  };
};

const holderOf = ({ id, customer_id, campaign, now }: Asked, voucher: VoucherSnapshot, holderId: string) => ({
  id: holderId,
  voucher_id: voucher.id,
  customer_id,
  role: voucher.is_referral_code ? ('REFERRER' as const) : ('OWNER' as const),
  publication_id: id,
  campaign_id: campaign?.id ?? null,
  campaign_type: campaign?.campaign_type ?? null,
  voucher_type: voucher.type,
  created_at: now,
});

/** The event of a customer's part in a code. Only referral codes show their voucher and campaign in it. */
export const holderAssigned = (
  holder: HolderSnapshot,
  voucher: VoucherSnapshot,
  campaign: CampaignSnapshot | null,
): HolderAssigned => ({
  type: 'HolderAssigned',
  data: {
    holder,
    voucher: voucher.is_referral_code ? voucher : null,
    campaign: voucher.is_referral_code ? campaign : null,
  },
});

/** Tells of a publication, and of the part that the customer got in each code. `vouchers`: as they are after it. */
export const publish = (command: Publish): [PublicationSucceeded, ...HolderAssigned[]] => {
  const { vouchers, holderIds, campaign } = command;
  const [only] = vouchers;
  const value =
    vouchers.length === 1 && only
      ? { discount: only.discount, gift: only.gift, loyalty_card: only.loyalty_card }
      : null;
  const publication: PublicationSnapshot = {
    ...snapshotOf(command, vouchers),
    result: 'SUCCESS',
    failure_code: null,
    failure_message: null,
    value,
  };
  return [
    { type: 'PublicationSucceeded', data: { publication, vouchers: [...vouchers], campaign } },
    ...vouchers.map((voucher, index) =>
      holderAssigned(holderOf(command, voucher, holderIds[index]!), voucher, campaign),
    ),
  ];
};

/** Tells of an attempt that was refused. Source: reference 04 §8.1. */
export const failPublication = (command: FailPublication): PublicationFailed => ({
  type: 'PublicationFailed',
  data: {
    publication: {
      ...snapshotOf(command, command.voucher ? [command.voucher] : []),
      result: 'FAILURE',
      failure_code: command.failure.code,
      failure_message: command.failure.message,
      value: null,
    },
    campaign: command.campaign,
  },
});

/** Copies what events say. Total: returns undefined for events before the first one, never throws or decides. */
export const evolvePublication = (
  state: PublicationState | undefined,
  event: PublicationEvent,
): PublicationState | undefined => {
  switch (event.type) {
    case 'PublicationSucceeded':
    case 'PublicationFailed':
      return { publication: event.data.publication };
    case 'HolderAssigned':
    case 'HolderUnassigned':
      // Holders are rows.
      return state;
    default:
      return event satisfies never;
  }
};
