import type { ItemResult } from '@scrip/contracts/operations';
import type { ItemTask, StoredResult, TaskInput } from './item-task';

const gone = {
  key: 'not_found',
  message: 'Resource not found',
  details: 'The customer was deleted permanently meanwhile',
};

/** Whether something names one of the customers. */
export const isNamed = (customers: readonly string[] | undefined, names: ReadonlySet<string>): boolean =>
  customers?.some((name) => names.has(name)) ?? false;

/** The customers that inputs or results name, each once. */
export const customersNamedBy = (named: readonly { customers?: string[] }[] | null | undefined): string[] => [
  ...new Set(named?.flatMap(({ customers }) => customers ?? [])),
];

/** The input with the customers that it names, as it is stored. */
export const withCustomers = <Item, Shared>(
  task: Pick<ItemTask<Item, Shared>, 'customersOf' | 'identifiesCustomers' | 'identifierOf'>,
  projectId: string,
  input: TaskInput<Item>,
  shared: Shared,
): TaskInput<Item> => {
  const customers = [...(task.customersOf?.(projectId, input, shared) ?? [])];
  if (customers.length === 0) return input;
  const identifier = 'item' in input ? task.identifierOf(input.item) : input.identifier;
  const label = task.identifiesCustomers ? null : identifier;
  return { ...input, customers, ...(label === null ? {} : { label }) };
};

/** The inputs without what tells of erased customers: those that name one have failed. */
export const withoutErased = <Item>(
  inputs: readonly TaskInput<Item>[],
  erased: ReadonlySet<string>,
): TaskInput<Item>[] =>
  inputs.map((input) =>
    isNamed(input.customers, erased)
      ? {
          ...(input.row === undefined ? {} : { row: input.row }),
          identifier: input.label ?? null,
          failure: gone,
        }
      : input,
  );

/** The results without what tells of erased customers. */
export const resultsWithoutErased = (
  results: readonly StoredResult[],
  erased: ReadonlySet<string>,
): StoredResult[] =>
  results.map((result) => {
    if (!isNamed(result.customers, erased)) return result;
    const { customers: _, label, failure, ...rest } = result;
    return {
      ...rest,
      identifier: label ?? null,
      ...(failure ? { failure: { ...failure, details: '' } } : {}),
    };
  });

/** The result as it is stored: with the customers of its input where it says anything of them. */
export const storedResult = (
  result: ItemResult,
  { customers, label }: Pick<StoredResult, 'customers' | 'label'>,
): StoredResult =>
  customers && (result.failure !== undefined || result.identifier !== (label ?? null))
    ? { ...result, customers, ...(label === undefined ? {} : { label }) }
    : result;

/** The result as it is shown. */
export const shownResult = ({ customers: _, label: _label, ...result }: StoredResult): ItemResult => result;
