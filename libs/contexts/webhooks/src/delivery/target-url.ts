import { refuse } from '@scrip/kernel';
import ipaddr from 'ipaddr.js';
import type { WebhooksRefusal } from '../webhooks.refusals';
import { type EgressPolicy, isLoopbackAddress, isReachable } from './address-range';

/** Characters of a target URL. Source: reference 06 §5.4 step 1. */
export const targetUrlLengthMax = 2_048;

const innerSuffixes = ['.local', '.internal', '.svc', '.cluster.local'];

const parsed = (text: string): URL | null => {
  try {
    return new URL(text);
  } catch {
    return null; // The one thing it throws for is a text that is no absolute URL.
  }
};

/** Returns the host of a URL without the brackets of IPv6 and the dot of a fully qualified name, lower case. */
export const hostOf = (url: URL): string =>
  url.hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();

const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host);

const isInner = (host: string): boolean =>
  host === 'localhost' || !host.includes('.') || innerSuffixes.some((suffix) => host.endsWith(suffix));

/** Returns whether the text after the scheme names a user, also an empty one, which URL parsers drop. */
const namesUser = (text: string, { username, password }: URL): boolean =>
  username !== '' || password !== '' || /^[a-z]+:\/*[^/?#]*@/i.test(text);

const schemeProblem = (url: URL, host: string, policy: EgressPolicy): string | null => {
  if (url.protocol === 'https:') return null;
  const httpIsFine = policy.allowHttp || (policy.allowLoopback && isLoopbackHost(host));
  return url.protocol === 'http:' && httpIsFine ? null : 'must use the scheme https';
};

const hostProblem = (host: string, policy: EgressPolicy): string | null => {
  if (policy.allowHosts.includes(host) || (policy.allowLoopback && isLoopbackHost(host))) return null;
  if (ipaddr.isValid(host)) return isReachable(host, policy) ? null : 'must not point to an internal address';
  return isInner(host) ? 'must not point to an internal host' : null;
};

const problemOf = (text: string, policy: EgressPolicy): string | null => {
  if (text.length > targetUrlLengthMax) return `should NOT be longer than ${targetUrlLengthMax} characters`;
  const url = parsed(text);
  if (!url || !/^https?:\/\/[^/]/i.test(text)) return 'must be an absolute https URL';
  const host = hostOf(url);
  if (namesUser(text, url)) return 'must not contain user information';
  if (text.includes('#')) return 'must not contain a fragment';
  return schemeProblem(url, host, policy) ?? hostProblem(host, policy);
};

/** Refuses `invalid_payload` for a target URL that is not allowed by its text; returns null when it may be stored.
 *  Its addresses are checked again at every attempt. Source: reference 06 §5.4 step 1, §5.4 step 5. */
export const refuseTargetUrl = (text: string, policy: EgressPolicy): WebhooksRefusal | null => {
  const problem = problemOf(text, policy);
  return problem === null ? null : refuse('invalid_payload', `Property .target_url ${problem}`);
};
