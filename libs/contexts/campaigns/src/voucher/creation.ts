import type { VoucherEvent } from '@scrip/contracts/campaigns';
import { type Decision, stateAfter } from '@scrip/event-store';
import { campaignIsLive } from '../deletion/campaign-is-live';
import { voucherAggregate } from './voucher.aggregate';
import { decideVoucher, type VoucherCommand, type VoucherState } from './voucher.decider';

/** What the creation of a voucher writes: `StaleRow` where its campaign was deleted since it was read. */
export const creationOf = (
  projectId: string,
  command: VoucherCommand,
  state: VoucherState | undefined,
): Decision<VoucherEvent, VoucherState> => {
  const events = decideVoucher(command, state);
  const after = events.reduce<VoucherState | undefined>(
    (before, event) => stateAfter(voucherAggregate, before, event),
    state,
  );
  if (!after) throw new Error('a creation made no voucher');
  const { campaign_id } = command.voucher;
  const held = events.length > 0 && campaign_id !== null;
  return { events, rows: held ? [campaignIsLive(projectId, campaign_id)] : [], answer: after };
};
