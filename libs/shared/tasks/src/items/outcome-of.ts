import { failureOfRefusal } from '@scrip/edge';
import { isRefused, type Refusal } from '@scrip/kernel';
import type { ItemOutcome } from './item-task';

type Tables = Parameters<typeof failureOfRefusal>[1];

/** What became of an item, by the answer of what carried it out. `tables`: with the messages of the context's refusals. */
export const outcomeOf = (
  answer: Pick<ItemOutcome, 'found' | 'updated'> | Refusal,
  tables: Tables = [],
): ItemOutcome => {
  if (!isRefused(answer)) return { found: answer.found, updated: answer.updated };
  const { key = '', message, details = '' } = failureOfRefusal(answer, tables);
  return { found: false, updated: false, failure: { key, message, details } };
};
