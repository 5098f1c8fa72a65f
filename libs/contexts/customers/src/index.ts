export { customersContext } from './customers.module';
export { CustomersSeed, type SeededCustomer, type SeededOrder } from './seeding/customers-seed';
