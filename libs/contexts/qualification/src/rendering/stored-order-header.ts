import { type AnswerHeader, storedOrderHeader } from '@scrip/edge';

interface Named {
  order?: { id?: unknown; source_id?: unknown } | null;
}

interface Answered {
  order?: { id?: unknown; updated_at?: unknown } | null;
}

/** The stored order that stood in for the one that was sent: the request named it by its `source_id` alone. A new order of a
 *  redemption has not been updated yet, and the order of a validation has an id only where it is stored. */
const storedOrderOf =
  (isStored: (order: { id?: unknown; updated_at?: unknown }) => boolean) =>
  (request: unknown, answer: unknown): string | null => {
    const sent = (request as Named | null)?.order;
    const order = (answer as Answered | null)?.order;
    if (sent?.source_id == null || sent.id != null || !order || !isStored(order)) return null;
    return typeof order.id === 'string' ? order.id : null;
  };

/** Names the stored order that a redemption took by its `source_id`. Source: reference 03 §3.3. */
export const redeemedStoredOrder: AnswerHeader = {
  name: storedOrderHeader,
  valueOf: storedOrderOf(({ updated_at }) => typeof updated_at === 'string'),
};

/** The same of a validation. */
export const validatedStoredOrder: AnswerHeader = {
  name: storedOrderHeader,
  valueOf: storedOrderOf(({ id }) => id !== undefined),
};
