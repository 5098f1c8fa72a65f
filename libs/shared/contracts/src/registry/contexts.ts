import { auth } from './contexts/auth.context';
import { campaigns } from './contexts/campaigns.context';
import { customers } from './contexts/customers.context';
import { operations } from './contexts/operations.context';
import { qualification } from './contexts/qualification.context';
import { webhooks } from './contexts/webhooks.context';
import { catalog } from './contexts/catalog.context';
import { promotions } from './contexts/promotions.context';

/** Every context, in the order in which one process boots them all. A new one is added here; the compiler and
 *  `tools/generator/src/registered.int.spec.ts` name what else it needs. Source: architecture §2. */
export const contexts = [
  auth,
  campaigns,
  customers,
  qualification,
  webhooks,
  operations,
  promotions,
  catalog,
] as const;

/** Name of a context = its service = its PostgreSQL schema = its DataSource. */
export type ContextName = (typeof contexts)[number]['name'];

export const contextNames: readonly ContextName[] = contexts.map(({ name }) => name);

/** Every topic that exists, by the aggregate it tells about. Source: reference 06 §9.2. */
export const topics = {
  ...auth.topics,
  ...campaigns.topics,
  ...customers.topics,
  ...qualification.topics,
  ...webhooks.topics,
  ...operations.topics,
  ...catalog.topics,
  ...promotions.topics,
};
