/** Whether an Origin is on a project's list. Entries: a full origin, a bare host (any scheme and port), or `*`; compared
 *  case-insensitively. Source: reference 07 §2.3. */
export const isTrustedOrigin = (origin: string | undefined, trusted: readonly string[]): boolean => {
  if (!origin || !URL.canParse(origin)) return false;
  const { hostname, host } = new URL(origin);
  const [asked, askedHost, askedHostAndPort] = [origin, hostname, host].map((text) => text.toLowerCase());
  return trusted
    .map((entry) => entry.trim().toLowerCase().replace(/\/$/, ''))
    .some((entry) => entry === '*' || entry === asked || entry === askedHost || entry === askedHostAndPort);
};

const longestOrigin = 200;

/** Says what is wrong with an Origin that is on no list, and who can put it there. */
export const untrustedOrigin = (origin: string | undefined): string =>
  origin === undefined
    ? 'The request has no Origin; calls of the client-side API come from browsers'
    : `The Origin ${origin.slice(0, longestOrigin)} is not among the trusted domains of the project. ` +
      'Whoever runs the server adds it with `npm run keys -- browsers <project id> --trust <origins>`';
