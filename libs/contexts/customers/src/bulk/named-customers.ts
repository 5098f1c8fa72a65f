import type { CustomerInput } from '@scrip/contracts/customers';
import type { CustomerVault } from '../customer/customer-vault';

/** Who an input of a task names. */
export type NamedCustomer = Pick<CustomerInput, 'id' | 'source_id'> | null | undefined;

/** The keys of the customers that an input names, for `ItemTask.customersOf`. */
export const keysOf = (vault: CustomerVault, projectId: string, named: readonly NamedCustomer[]): string[] =>
  named.flatMap((customer) => [
    ...(customer?.id ? [customer.id] : []),
    ...(customer?.source_id ? [vault.taskKey(projectId, customer.source_id)] : []),
  ]);

/** The customer that an input tells, by `item`; one that cannot be read is named by its source id. */
export const namedIn = <Item>(
  input: { item: Item } | { identifier: string | null },
  customerOf: (item: Item) => NamedCustomer,
): NamedCustomer => ('item' in input ? customerOf(input.item) : { source_id: input.identifier });
