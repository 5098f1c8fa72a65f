import { topics } from '@scrip/contracts/registry';
import { tasksOfContext } from '@scrip/tasks';
import { ImportProducts } from '../imports/import-products.task';
import { ImportSkus } from '../imports/import-skus.task';
import { UpdateMetadata } from './update-metadata.task';
import { UpdateProducts } from './update-products.task';

/** Background tasks of the catalogue. */
export const catalogTasks = tasksOfContext({
  context: 'catalog',
  topic: topics.catalogTask,
  group: 'catalog.tasks',
  itemTasks: [UpdateProducts, UpdateMetadata, ImportProducts, ImportSkus],
});
