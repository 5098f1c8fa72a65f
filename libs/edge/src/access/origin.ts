/** Whether an Origin is on a project's list. Entries: a full origin, a bare host (any scheme and port), or `*`; compared
 *  case-insensitively. Source: spec 07 §2.3. */
export const isTrustedOrigin = (origin: string | undefined, trusted: readonly string[]): boolean => {
  if (!origin || !URL.canParse(origin)) return false;
  const { hostname, host } = new URL(origin);
  const [asked, askedHost, askedHostAndPort] = [origin, hostname, host].map((text) => text.toLowerCase());
  return trusted
    .map((entry) => entry.trim().toLowerCase().replace(/\/$/, ''))
    .some((entry) => entry === '*' || entry === asked || entry === askedHost || entry === askedHostAndPort);
};
