import type { CampaignSnapshot, VoucherEvent } from '@scrip/contracts/campaigns';
import { type NewStream, type RowChange, stateAfter, type StreamChange } from '@scrip/event-store';
import { isRefused, newId, type Refusal, type RequestContext } from '@scrip/kernel';
import type { CandidateCode } from '../generation/free-codes';
import { voucherAggregate } from '../voucher/voucher.aggregate';
import { decideVoucher, voucherOf, type VoucherState } from '../voucher/voucher.decider';
import { voucherTemplateOf } from '../voucher/voucher-template';
import type { Picked } from './free-vouchers';
import { decidePublishing, type PublishVoucher } from './publish-voucher.decider';

/** Whose publication a voucher is part of. */
export interface Publisher {
  id: string;
  customer_id: string;
  now: Date;
  campaign: CampaignSnapshot | null;
}

/** A voucher as a publication leaves it, and the write that does so: of one that is stored, or of one that is made. */
export interface PublishedVoucher {
  state: VoucherState;
  change: StreamChange<VoucherState, VoucherEvent> | null;
  created: NewStream<VoucherEvent> | null;
}

type Refused = Refusal<'not_found' | 'voucher_already_published' | 'voucher_disabled'>;

const decide = (
  { project }: RequestContext,
  publisher: Omit<Publisher, 'campaign'> & Pick<PublishVoucher, 'campaign'>,
  before: VoucherState,
) => {
  const { id, customer_id, campaign, now } = publisher;
  const command = { publication_id: id, customer_id, campaign, now, timezone: project.timezone };
  const events = decidePublishing(command, before);
  if (isRefused(events)) return events;
  const state = events.reduce<VoucherState>(
    (folded, event) => stateAfter(voucherAggregate, folded, event),
    before,
  );
  return { events, state };
};

/** Publishes a voucher that is stored. */
export const publishStored = (
  context: RequestContext,
  publisher: Publisher,
  [id, { state: before, version, epoch, basis }]: Picked,
): PublishedVoucher | Refused => {
  // As it was read with the voucher: one that changed since the call found it binds as it is now.
  const { campaign = publisher.campaign } = before;
  const decided = decide(context, { ...publisher, campaign }, before);
  if (isRefused(decided)) return decided;
  const expected = { expectedVersion: version, expectedEpoch: epoch, expectedBasis: basis };
  const change = { streamId: id, context, state: before, ...expected, events: decided.events };
  return { state: decided.state, change, created: null };
};

/** A campaign as it is now, and the side row that holds it so until the codes that are made from it are stored. */
export interface OpenCampaign {
  campaign: CampaignSnapshot;
  held: RowChange;
}

/** Publishes a voucher that is made from a campaign for it. */
export const publishNew = (
  context: RequestContext,
  publisher: Publisher,
  { campaign, held }: OpenCampaign,
  { code, key }: CandidateCode,
): PublishedVoucher | Refused => {
  const id = newId('v_');
  const own = { id, code, created_at: publisher.now.toISOString() };
  const voucher = voucherOf(voucherTemplateOf(campaign), own);
  const created = decideVoucher(
    { type: 'CreateVoucher', voucher, code_key: key, campaign, addition: true },
    undefined,
  );
  const decided = decide(context, { ...publisher, campaign }, { voucher, code_key: key });
  if (isRefused(decided)) return decided;
  const events = [...created, ...decided.events];
  return { state: decided.state, change: null, created: { streamId: id, context, events, rows: [held] } };
};
