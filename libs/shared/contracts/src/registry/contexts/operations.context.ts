import type { RegisteredContext } from '../registered-context';
import { server } from '../route-row';

export const operations = {
  name: 'operations',
  owns: 'the list of asynchronous actions',
  topics: {},
  routes: [
    server('GET /v1/async-actions', 'async-actions'),
    server('GET /v1/async-actions/{asyncActionId}', 'async-actions'),
  ],
} as const satisfies RegisteredContext;
