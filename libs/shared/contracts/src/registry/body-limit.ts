/** Largest body of a route that says nothing else, in bytes. Imports may say more. Source: ADR 46. */
export const bodyLimitBytes = 1_048_576;

/** Largest body of the client-side API, in bytes: an order of 500 items, not a bulk. */
export const clientLimitBytes = 65_536;

/** Largest form, in bytes: a grant type, scopes or a token. */
export const formLimitBytes = 16_384;
