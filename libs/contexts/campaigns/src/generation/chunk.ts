import type { GeneratedVoucher } from '../campaign/campaign.decider';

/** What one event may carry. Source: architecture §4. */
export const codesPerChunkMax = 5_000;
const bytesPerChunkMax = 512 * 1_024;
/** Left for the event's other fields. */
const frameBytes = 1_024;

/** The first of the vouchers that fit into one event; at least one. */
export const chunkOf = (vouchers: readonly GeneratedVoucher[]): GeneratedVoucher[] => {
  let bytes = frameBytes;
  const end = vouchers.findIndex((voucher, index) => {
    bytes += Buffer.byteLength(JSON.stringify(voucher)) + 1;
    return index > 0 && (index >= codesPerChunkMax || bytes > bytesPerChunkMax);
  });
  return vouchers.slice(0, end === -1 ? vouchers.length : end);
};
