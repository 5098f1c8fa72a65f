import type { CustomerEvent } from '@scrip/contracts';
import { newestSchemaVersion, upcast } from '@scrip/event-store';
import { Secret } from '@scrip/kernel';
import { customerAggregate } from './customer.aggregate';
import type { CustomerState } from './customer.decider';
import { CustomerVault } from './customer-vault';
import createdV1 from './fixtures/customer-created.v1.json';
import storedKey from './fixtures/customer-key.json';
import updatedV1 from './fixtures/customer-updated.v1.json';

// Written by released code; never to be changed. A new schema version adds a file.
const stored = [createdV1, updatedV1];

const fold = (): CustomerState | undefined =>
  stored.reduce<CustomerState | undefined>((state, { type, schema_version, data }) => {
    const newest = upcast(customerAggregate.upcasters, type, schema_version, data);
    return customerAggregate.evolve(state, { type, data: newest } as CustomerEvent);
  }, undefined);

test('there is a fixture of each newest version', () => {
  const types: CustomerEvent['type'][] = ['CustomerCreated', 'CustomerUpdated'];
  for (const type of types) {
    const version = newestSchemaVersion(customerAggregate.upcasters, type);
    expect(stored).toContainEqual(expect.objectContaining({ type, schema_version: version }));
  }
});

test('stored events are read as they were meant', () => {
  expect(fold()).toEqual({
    id: 'cust_1',
    sealed: updatedV1.data.sealed,
    created_at: '2026-03-31T10:00:00.000Z',
    updated_at: '2026-04-01T10:00:00.000Z',
  });
});

test('stored keys and seals open under the master key they were made with', () => {
  const vault = new CustomerVault({ masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')) });
  const address = { projectId: storedKey.project_id, customerId: storedKey.customer_id };
  const key = vault.unwrap(storedKey.wrapped_key, address);
  expect(vault.open(createdV1.data.sealed, key, address)).toMatchObject({ name: 'Ada', metadata: { a: 1 } });
  expect(vault.open(updatedV1.data.sealed, key, address)).toMatchObject({
    name: 'Ada',
    email: 'ada@example.com',
    metadata: { a: 1, b: null },
  });
  expect(vault.sourceHash(storedKey.project_id, storedKey.source_id)).toBe(storedKey.source_hash);
});
