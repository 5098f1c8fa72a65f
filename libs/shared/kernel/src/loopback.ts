/** Returns whether a host can be reached from this machine only. */
export const isLoopback = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/.test(host);
