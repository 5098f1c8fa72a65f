/** Versions of the public API that can be answered. Source: spec 07 §1.2. */
export const apiVersions: readonly string[] = ['v2018-08-01'];
