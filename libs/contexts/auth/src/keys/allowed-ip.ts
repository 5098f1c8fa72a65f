import ipaddr from 'ipaddr.js';

const inRange = (ip: string, entry: string): boolean => {
  // `process` turns an IPv4-mapped IPv6 address into the IPv4 address.
  const address = ipaddr.process(ip);
  if (!entry.includes('/')) {
    return (
      ipaddr.isValid(entry) && ipaddr.process(entry).toNormalizedString() === address.toNormalizedString()
    );
  }
  try {
    const range = ipaddr.parseCIDR(entry);
    return address.kind() === range[0].kind() && address.match(range);
  } catch {
    // An entry that is not a range matches no address.
    return false;
  }
};

/** Addresses and ranges of a key. */
export const addressesMax = 100;

/** Whether an entry of such a list is an address or a CIDR range. */
export const isAddressOrRange = (entry: string): boolean =>
  entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry);

/** Returns whether a key with this list (addresses or CIDR ranges; empty: no restriction) may be used from `ip`. */
export const isAllowedIp = (ip: string, allowed: readonly string[]): boolean =>
  allowed.length === 0 || (ipaddr.isValid(ip) && allowed.some((entry) => inRange(ip, entry)));
