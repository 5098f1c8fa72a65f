import { Secret } from '@scrip/kernel';
import type { CsvRow, CsvShared } from '@scrip/tasks/imports';
import type { CatalogPort } from '@scrip/contracts/catalog';
import type { MetadataSchemas } from '@scrip/metadata';
import type { UpsertCustomers } from '../customer/upsert-customers';
import { CustomerVault } from '../customer/customer-vault';
import { ImportCustomers } from '../imports/import-customers.task';
import type { CreateOrderRequest } from '../order/order-requests';
import { ImportOrders } from '../order-imports/import-orders.task';
import type { StoreOrders } from '../order-imports/store-orders';
import { UpdateCustomers } from './update-customers.task';
import { UpdateMetadata } from './update-metadata.task';

const masterKey = new Secret(Buffer.alloc(32, 1).toString('base64'));
const vault = new CustomerVault({ masterKey }, Buffer.alloc(32, 1));
const ada = vault.taskKey('proj_1', 'ada');
const bob = vault.taskKey('proj_1', 'bob');
const [customers, schemas] = [{} as UpsertCustomers, {} as MetadataSchemas];
const malformed = { key: 'invalid_payload', message: 'Invalid payload', details: 'Too few cells' };

describe('inputs of tasks name customers', () => {
  it('that are changed in bulk', () => {
    const task = new UpdateCustomers(customers, vault, schemas);
    expect(task.customersOf('proj_1', { item: { source_id: 'ada', name: 'Ada' } })).toEqual([ada]);
    expect(vault.taskKey('proj_2', 'ada')).not.toBe(ada);
  });

  it('whose metadata is changed', () => {
    const task = new UpdateMetadata(customers, vault, schemas);
    expect(task.customersOf('proj_1', { item: 'ada' })).toEqual([ada]);
  });

  it('by the columns of a file, whatever its headers are', () => {
    const task = new ImportCustomers(customers, vault, schemas);
    const shared: CsvShared = {
      columns: [{ field: 'name' }, { field: 'source_id' }, { metadata: 'source_id' }, { field: 'id' }],
      dry_run: false,
    };
    const named = (cells: string[]) => {
      const item: CsvRow = { identifier: null, cells };
      return task.customersOf('proj_1', { item }, shared);
    };
    expect(named(['Ada', 'ada', 'bob', 'cust_1'])).toEqual(['cust_1', ada]);
    expect(named(['Ada', '', 'bob', ''])).toEqual([]);
    expect(task.customersOf('proj_1', { identifier: 'ada', failure: malformed }, shared)).toEqual([ada]);
    expect(task.customersOf('proj_1', { identifier: null, failure: malformed }, shared)).toEqual([]);
  });

  it.each<[string, CreateOrderRequest, string[]]>([
    ['customer and referrer', { customer: { source_id: 'ada' }, referrer: { source_id: 'bob' } }, [ada, bob]],
    ['ids', { customer: { id: 'cust_1' }, referrer_id: 'cust_2' }, ['cust_1', 'cust_2']],
    ['nobody', { customer: { name: 'Ada' }, source_id: 'ada' }, []],
  ])('by orders: %s', (_, item, keys) => {
    const task = new ImportOrders({} as StoreOrders, vault, schemas, {} as CatalogPort);
    expect(task.customersOf('proj_1', { item })).toEqual(keys);
  });
});
