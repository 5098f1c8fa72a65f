import { type EgressPolicy, isReachable } from './address-range';

const strict: EgressPolicy = { allowHttp: false, allowHosts: [], allowCidrs: [], allowLoopback: false };

describe('which addresses a delivery may reach (reference 06 §5.4 step 2)', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.169.254', 'the metadata service'],
    ['168.63.129.16', 'the wire server of Azure'],
    ['::ffff:168.63.129.16', 'the same, IPv4-mapped'],
    ['fe80::1', 'link-local'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['224.0.0.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['0.0.0.0', 'unspecified'],
    ['::', 'unspecified'],
    ['255.255.255.255', 'broadcast'],
    ['fd00::1', 'unique-local'],
    ['::ffff:127.0.0.1', 'IPv4-mapped loopback'],
    ['::ffff:a9fe:a9fe', 'IPv4-mapped metadata service'],
    ['::7f00:1', 'IPv4-compatible loopback'],
    ['64:ff9b::7f00:1', 'NAT64 loopback'],
    ['2002:7f00:1::', '6to4 loopback'],
    ['2001:db8::1', 'documentation'],
    ['not an address', 'unreadable'],
  ])('refuses %s: %s', (address) => {
    expect(isReachable(address, strict)).toBe(false);
  });

  it.each(['93.184.216.34', '2606:4700::1111', '::ffff:93.184.216.34'])('allows the public %s', (address) => {
    expect(isReachable(address, strict)).toBe(true);
  });

  it('allows what the deployment names, and only that', () => {
    const policy = { ...strict, allowCidrs: ['10.1.0.0/16'] };
    expect(isReachable('10.1.2.3', policy)).toBe(true);
    expect(isReachable('::ffff:10.1.2.3', policy)).toBe(true);
    expect(isReachable('10.2.0.1', policy)).toBe(false);
    expect(isReachable('168.63.129.16', { ...strict, allowCidrs: ['168.63.129.16/32'] })).toBe(true);
  });

  it('allows loopback, and nothing else private, where the server listens on loopback only', () => {
    const policy = { ...strict, allowLoopback: true };
    expect(isReachable('127.0.0.1', policy)).toBe(true);
    expect(isReachable('::1', policy)).toBe(true);
    expect(isReachable('192.168.1.1', policy)).toBe(false);
  });
});
