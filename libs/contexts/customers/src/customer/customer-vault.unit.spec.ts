import { SealBroken, Secret } from '@scrip/kernel';
import type { CustomerProfile } from './customer-profile';
import { CustomerVault } from './customer-vault';

const vaultOf = (byte: number): CustomerVault =>
  new CustomerVault(
    { masterKey: new Secret(Buffer.alloc(32, byte).toString('base64')) },
    Buffer.alloc(32, byte),
  );

const vault = vaultOf(7);
const ann = { projectId: 'proj_1', customerId: 'cust_ann' };
const bob = { projectId: 'proj_1', customerId: 'cust_bob' };
const profile = { name: 'Ann' } as CustomerProfile;

describe('what the vault has opened once', () => {
  const { key, wrapped } = vault.newKey(ann);
  const sealed = vault.seal(profile, key, ann);

  beforeAll(() => {
    expect(vault.open(sealed, vault.unwrap(wrapped, ann), ann)).toEqual(profile);
  });

  it('opens again, as an object of its own', () => {
    vault.open(sealed, vault.unwrap(wrapped, ann), ann).name = 'changed';
    expect(vault.open(sealed, vault.unwrap(wrapped, ann), ann)).toEqual(profile);
  });

  it('opens for nobody else’s key', () => {
    const other = vault.newKey(ann);
    expect(() => vault.open(sealed, vault.unwrap(other.wrapped, ann), ann)).toThrow(SealBroken);
  });

  it('opens under nobody else’s name', () => {
    expect(() => vault.unwrap(wrapped, bob)).toThrow(SealBroken);
    expect(() => vault.open(sealed, key, bob)).toThrow(SealBroken);
  });

  it('opens under no other master key', () => {
    expect(() => vaultOf(8).unwrap(wrapped, ann)).toThrow(SealBroken);
  });
});

test('a profile that is read once opens for its own customer only', () => {
  const { key, wrapped: wrapped_key } = vault.newKey(ann);
  const sealed = vault.seal(profile, key, ann);
  expect(vault.openOnce({ wrapped_key, sealed }, ann)).toEqual(profile);
  expect(() => vault.openOnce({ wrapped_key, sealed }, bob)).toThrow(SealBroken);
});
