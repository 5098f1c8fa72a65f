import { topics } from '@scrip/contracts/registry';
import { tasksOfContext } from '@scrip/tasks';
import { ImportCustomers } from '../imports/import-customers.task';
import { ImportOrders } from '../order-imports/import-orders.task';
import { UpdateCustomers } from './update-customers.task';
import { UpdateMetadata } from './update-metadata.task';

/** Background tasks of customers. */
export const customerTasks = tasksOfContext({
  context: 'customers',
  topic: topics.customerTask,
  group: 'customers.tasks',
  itemTasks: [UpdateCustomers, UpdateMetadata, ImportCustomers, ImportOrders],
});
