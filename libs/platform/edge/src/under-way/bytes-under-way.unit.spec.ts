import { BytesUnderWay } from './bytes-under-way';

const sizes = { total: 100, perHolder: 60, addresses: { total: 25, perHolder: 10 } };
const [project, other] = [{ project: 'proj_1' }, { project: 'proj_2' }];
const address = (last: number) => ({ address: `198.51.100.${last}` });

describe('bytes under way', () => {
  it('are bounded for an address, for all addresses, and leave the projects their room', () => {
    const bytes = new BytesUnderWay(sizes);
    expect(bytes.take(address(1), 11)).toBeNull();
    expect(bytes.take(address(1), 10)).not.toBeNull();
    expect(bytes.take(address(1), 1)).toBeNull();
    expect(bytes.take(address(2), 10)).not.toBeNull();
    expect(bytes.take(address(3), 6)).toBeNull();
    expect(bytes.take(address(3), 5)).not.toBeNull();
    expect(bytes.take(project, 60)).not.toBeNull();
    expect(bytes.take(project, 1)).toBeNull();
    expect(bytes.take(other, 16)).toBeNull();
    expect(bytes.take(other, 15)).not.toBeNull();
  });

  it('are given back once, also by an address that found no room', () => {
    const bytes = new BytesUnderWay(sizes);
    const leave = bytes.take(project, 60);
    const leaveOther = bytes.take(other, 40);
    expect(bytes.take(address(1), 10)).toBeNull();
    leave?.();
    leave?.();
    const leaveAddress = bytes.take(address(1), 10);
    expect(leaveAddress).not.toBeNull();
    leaveAddress?.();
    leaveAddress?.();
    leaveOther?.();
    expect(bytes.take(address(1), 10)).not.toBeNull();
    expect(bytes.take(project, 60)).not.toBeNull();
    expect(bytes.take(other, 31)).toBeNull();
    expect(bytes.take(other, 30)).not.toBeNull();
  });
});
