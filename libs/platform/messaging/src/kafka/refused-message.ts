// A broker that is short of time says so with other types, which are tried again.
const refusals = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_TIMESTAMP',
  'INVALID_RECORD',
]);

/** Whether the broker refuses what was sent, however often it is sent. */
export const isRefusedMessage = (error: unknown): boolean => {
  const { type, cause } = (error ?? {}) as { type?: unknown; cause?: unknown };
  if (typeof type === 'string' && refusals.has(type)) return true;
  return cause !== undefined && cause !== error && isRefusedMessage(cause);
};
