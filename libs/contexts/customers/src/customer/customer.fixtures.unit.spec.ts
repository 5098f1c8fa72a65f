import { deriveKey, Secret } from '@scrip/kernel';
import { FrozenEvents } from '@scrip/testing';
import { join } from 'node:path';
import { customerAggregate } from './customer.aggregate';
import { CustomerVault, sourceIdsPurpose } from './customer-vault';
import createdV1 from './fixtures/customer-created.v1.json';
import deletedV1 from './fixtures/customer-deleted.v1.json';
import erasedV1 from './fixtures/customer-erased.v1.json';
import storedKey from './fixtures/customer-key.json';
import updatedV1 from './fixtures/customer-updated.v1.json';

const frozen = new FrozenEvents(join(__dirname, 'fixtures'), customerAggregate);

test('events of each version of each type are frozen', () => {
  expect(
    frozen.problems(['CustomerCreated', 'CustomerUpdated', 'CustomerDeleted', 'CustomerErased']),
  ).toEqual([]);
});

test('stored events are read as they were meant', () => {
  expect(frozen.folded('CustomerCreated', 'CustomerUpdated')).toEqual({
    id: 'cust_1',
    sealed: updatedV1.data.sealed,
    created_at: '2026-03-31T10:00:00.000Z',
    updated_at: '2026-04-01T10:00:00.000Z',
  });
  expect(frozen.folded('CustomerCreated', 'CustomerUpdated', 'CustomerDeleted')).toEqual({
    id: 'cust_1',
    sealed: deletedV1.data.sealed,
    created_at: '2026-03-31T10:00:00.000Z',
    updated_at: '2026-04-01T10:00:00.000Z',
    deleted_at: '2026-04-02T10:00:00.000Z',
  });
  expect(
    frozen.folded('CustomerCreated', 'CustomerUpdated', 'CustomerDeleted', 'CustomerErased'),
  ).toMatchObject({ id: 'cust_1', sealed: '', erasure: erasedV1.data.erasure });
});

test('stored keys and seals open under the master key they were made with', () => {
  const bytes = Buffer.alloc(32, 7);
  const masterKey = new Secret(bytes.toString('base64'));
  const vault = new CustomerVault({ masterKey }, deriveKey(bytes, sourceIdsPurpose));
  const address = { projectId: storedKey.project_id, customerId: storedKey.customer_id };
  const key = vault.unwrap(storedKey.wrapped_key, address);
  expect(vault.open(createdV1.data.sealed, key, address)).toMatchObject({ name: 'Ada', metadata: { a: 1 } });
  expect(vault.open(updatedV1.data.sealed, key, address)).toMatchObject({
    name: 'Ada',
    email: 'ada@example.com',
    metadata: { a: 1, b: null },
  });
  expect(vault.open(deletedV1.data.sealed, key, address)).toMatchObject({
    name: 'Ada',
    source_id: 'shop-1_deleted1775124000000',
  });
  expect(vault.sourceHash(storedKey.project_id, storedKey.source_id)).toBe(storedKey.source_hash);
});
