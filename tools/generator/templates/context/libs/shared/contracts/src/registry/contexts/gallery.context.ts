import type { RegisteredContext } from '../registered-context';
import { server } from '../route-row';
import { topic } from '../topic';

export const gallery = {
  name: 'gallery',
  owns: 'nothing yet',
  topics: {},
  routes: [],
} as const satisfies RegisteredContext;
