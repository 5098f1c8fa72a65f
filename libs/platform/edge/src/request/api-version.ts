/** Versions of the public API that can be answered. Source: reference 07 §1.2. */
export const apiVersions: readonly string[] = ['v2018-08-01'];
