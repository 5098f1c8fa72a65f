import type { ContextDefinition } from '@scrip/service';
import { customersMigrations } from './customers.migration';
import { CustomersModule } from './customers.module';

/** Customers and their orders. Source: architecture §2. */
export const customersContext: ContextDefinition = {
  name: 'customers',
  module: CustomersModule,
  migrations: customersMigrations,
};
