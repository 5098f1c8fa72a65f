import { type ContextDefinition, lookupKeysColumn } from '@scrip/service';
import { batchKeysColumn } from '@scrip/tasks';
import { customerKeysColumn } from './customer/customer-vault';
import { customersMigrations } from './migrations';
import { CustomersModule } from './customers.module';

export { CustomersSeed, type SeededCustomer, type SeededOrder } from './seeding/customers-seed';

/** Customers, their orders and segments. Source: architecture §2. */
export const customersContext: ContextDefinition = {
  name: 'customers',
  module: CustomersModule,
  migrations: customersMigrations,
  sealed: [customerKeysColumn, lookupKeysColumn, batchKeysColumn],
  jobs: true,
};
