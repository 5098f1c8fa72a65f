type Data = Record<string, unknown>;

/** Steps from stored versions of voucher events to the newest, by event type, oldest first. Version 1 did not say when a use
 *  was taken or came back. */
export const voucherUpcasters: Record<string, readonly ((data: Data) => Data)[]> = {
  VoucherQuantityConsumed: [(data) => ({ ...data, consumed_at: null })],
  VoucherQuantityRestored: [(data) => ({ ...data, restored_at: null })],
};
