import type { VoucherEvent, VoucherSnapshot } from '@scrip/contracts/campaigns';
import type { AggregateStore } from '@scrip/event-store';
import type { Refusal, RequestContext } from '@scrip/kernel';
import { isDeleted, voucherNotFound, type VoucherState } from './voucher.decider';

/** The voucher that an earlier execution of a keyed call created under this id, as it is now; null: none did. Refuses
 *  `not_found` for one that was deleted since. Source: ADR 157. */
export const createdBefore = async (
  vouchers: AggregateStore<VoucherState, VoucherEvent>,
  { project }: RequestContext,
  id: string,
): Promise<VoucherSnapshot | Refusal<'not_found'> | null> => {
  const stored = await vouchers.load(project.id, id);
  if (!stored) return null;
  return isDeleted(stored.state) ? voucherNotFound(id) : stored.state.voucher;
};
