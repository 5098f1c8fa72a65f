import type { RegisteredContext } from '../registered-context';
import { open, server } from '../route-row';

export const operations = {
  name: 'operations',
  owns: 'the list of asynchronous actions, their reports',
  topics: {},
  routes: [
    server('GET /v1/async-actions', 'async-actions'),
    server('GET /v1/async-actions/{asyncActionId}', 'async-actions'),
    open('GET /v1/task-results/{id}'),
  ],
} as const satisfies RegisteredContext;
