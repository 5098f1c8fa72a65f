/** Largest request body. Source: spec 07 §1.1. */
export const bodyLimitBytes = 10_485_760;
