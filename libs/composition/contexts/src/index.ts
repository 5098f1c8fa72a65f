import { authContext } from '@scrip/auth';
import { campaignsContext } from '@scrip/campaigns';
import { type ContextName, contextNames } from '@scrip/contracts/registry';
import { customersContext } from '@scrip/customers';
import { operationsContext } from '@scrip/operations';
import { qualificationContext } from '@scrip/qualification';
import { type ContextDefinition } from '@scrip/service';
import { webhooksContext } from '@scrip/webhooks';
import { catalogContext } from '@scrip/catalog';
import { promotionsContext } from '@scrip/promotions';

const definitions: Readonly<Record<ContextName, ContextDefinition>> = {
  auth: authContext,
  campaigns: campaignsContext,
  customers: customersContext,
  operations: operationsContext,
  qualification: qualificationContext,
  webhooks: webhooksContext,
  catalog: catalogContext,
  promotions: promotionsContext,
};

/** Every context, in the order in which a process that has them all boots them. */
export const allContexts: readonly ContextDefinition[] = contextNames.map((name) => definitions[name]);
