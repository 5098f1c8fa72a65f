import { authContext } from '@scrip/auth';
import { campaignsContext } from '@scrip/campaigns';
import { customersContext } from '@scrip/customers';
import { operationsContext } from '@scrip/operations';
import { qualificationContext } from '@scrip/qualification';
import type { ContextDefinition } from '@scrip/service';
import { webhooksContext } from '@scrip/webhooks';

/** Every context, in the order in which a process that has them all boots them. */
export const allContexts: readonly ContextDefinition[] = [
  authContext,
  campaignsContext,
  customersContext,
  qualificationContext,
  webhooksContext,
  operationsContext,
];
