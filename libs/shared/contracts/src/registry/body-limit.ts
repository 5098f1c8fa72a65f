/** Largest body of a route that says nothing else, in bytes. Source: ADR 46. */
export const bodyLimitBytes = 1_048_576;

/** Largest body of the client-side API, in bytes: an order of 500 items, not a bulk. */
export const clientLimitBytes = 65_536;

/** Largest form, in bytes: a grant type, scopes or a token. */
export const formLimitBytes = 16_384;

/** Largest form with a file, in bytes, all its parts together. */
export const uploadLimitBytes = 10_485_760;

/** Largest JSON body of an import or a bulk, in bytes. Source: reference 04 §1. */
export const bulkLimitBytes = 10_485_760;

/** How long such a form or body may take to arrive and to be stored: ten megabytes over a slow line. Below the lease of an
 *  Idempotency-Key, and below what a connection is given for one request. */
export const uploadDeadlineMs = 50_000;
