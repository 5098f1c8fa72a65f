import ipaddr from 'ipaddr.js';

/** Which addresses deliveries may reach beyond the public internet. Source: reference 06 §5.4 step 5. */
export interface EgressPolicy {
  /** http targets are allowed. */
  allowHttp: boolean;
  /** Host names exempt from the address rules, lower case. */
  allowHosts: readonly string[];
  /** Ranges exempt from the address rules, e.g. `10.1.0.0/16`. */
  allowCidrs: readonly string[];
  /** This machine's own addresses are allowed. */
  allowLoopback: boolean;
}

const publicRange = 'unicast';
/** Addresses among public ones that lead inside: the wire server of Azure, on every virtual machine. */
const innerAddresses: readonly string[] = ['168.63.129.16/32'];
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');
const sixToFour = ipaddr.parseCIDR('2002::/16');
const ipv4Compatible = ipaddr.parseCIDR('::/96');

/** Returns the IPv4 address inside an IPv4-mapped, IPv4-compatible, NAT64 or 6to4 address, else the address itself. */
const unwrapped = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 => {
  if (address.kind() === 'ipv4') return address;
  const wide = address as ipaddr.IPv6;
  if (wide.isIPv4MappedAddress()) return wide.toIPv4Address();
  const bytes = wide.toByteArray();
  // `::` and `::1` are in that range too and stay IPv6.
  const isCompatible = wide.match(ipv4Compatible) && wide.range() === publicRange;
  if (isCompatible || wide.match(nat64)) return ipaddr.fromByteArray(bytes.slice(12));
  if (wide.match(sixToFour)) return ipaddr.fromByteArray(bytes.slice(2, 6));
  return wide;
};

const isWithin = (address: ipaddr.IPv4 | ipaddr.IPv6, cidr: string): boolean => {
  const [range, bits] = ipaddr.parseCIDR(cidr);
  return range.kind() === address.kind() && address.match([range, bits]);
};

/** Returns whether an address literal, in any form, is a loopback address. */
export const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && unwrapped(ipaddr.parse(address)).range() === 'loopback';

/** Returns whether a delivery may connect to `address`, an IPv4 or IPv6 literal without brackets: public unicast, or
 *  named by the policy. Returns false for anything else. Source: reference 06 §5.4 step 2. */
export const isReachable = (address: string, policy: EgressPolicy): boolean => {
  if (!ipaddr.isValid(address)) return false;
  const target = unwrapped(ipaddr.parse(address));
  if (target.range() === publicRange && !innerAddresses.some((cidr) => isWithin(target, cidr))) return true;
  if (policy.allowLoopback && target.range() === 'loopback') return true;
  return policy.allowCidrs.some((cidr) => isWithin(target, cidr));
};
