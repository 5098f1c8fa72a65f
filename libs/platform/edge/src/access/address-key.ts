import ipaddr from 'ipaddr.js';

/** What calls of an IP address are counted under: an IPv4 address, also one inside of an IPv6 address, or the /64 of an
 *  IPv6 address, since a holder of one of its addresses has all. A text that is no address counts as it is. */
export const addressKey = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString().split('%')[0]}/64`).toString()}/64`;
};
