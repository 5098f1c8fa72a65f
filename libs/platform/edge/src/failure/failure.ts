/** What went wrong, as the interface tells it: an HTTP status and the parts of the error body. `key` is absent for
 *  429 only. Source: reference 07 §1.3. */
export interface Failure {
  status: number;
  key?: string;
  message: string;
  details?: string;
  /** Further fields of the body: `resource_id`, `resource_type`, `related_object_ids`, `error`, `statusCode`, … */
  extra?: Readonly<Record<string, unknown>>;
  /** Response headers that belong to the failure: `Allow`, `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
  /** See `StatusAndMessage`. */
  temporary?: true;
}

/** Thrown to leave a handler, a pipe or a parser with a failure. Not a defect: answered, and logged at info only. */
export class EdgeFailure extends Error {
  override readonly name = 'EdgeFailure';

  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failure.details ?? failure.message, options);
  }
}

/** The body of a failure. 429 carries only code and message. Source: reference 07 §1.3. */
export const renderFailure = (failure: Failure, requestId: string): Record<string, unknown> => {
  const { status, key, message, details, extra } = failure;
  if (status === 429) return { code: status, message };
  return {
    code: status,
    ...(key === undefined ? {} : { key }),
    message,
    ...(details === undefined ? {} : { details }),
    ...extra,
    request_id: requestId,
  };
};
