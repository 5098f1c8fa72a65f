import { refuse } from '@scrip/kernel';
import type { WebhooksRefusal } from '../webhooks.refusals';
import { type WebhookKind, webhookKinds } from './kinds';

/** Subscribes to all present and future kinds. Source: reference 06 §6.1. */
export const everyKind = '*';

const known: ReadonlySet<string> = new Set(webhookKinds);

/** Corrects the misspelt ending `…aded`, which is accepted. */
const corrected = (text: string): string => text.replace(/aded$/, 'added');

const allowed = `[ ${webhookKinds.join(', ')} ]`;

/** Returns the kinds of a request's `events`, without duplicates and with misspelt names corrected; `['*']` means
 *  all. Refuses `invalid_payload` for an empty list, a value that is not a text, and an unknown kind. Source:
 *  reference 06 §6.1. */
export const subscribedKinds = (
  events: readonly unknown[],
): { kinds: (WebhookKind | typeof everyKind)[] } | WebhooksRefusal => {
  if (events.length === 0)
    return refuse('invalid_payload', 'Property .events should NOT have fewer than 1 items');
  const kinds = new Set<string>();
  for (const [index, event] of events.entries()) {
    if (typeof event !== 'string')
      return refuse('invalid_payload', `Property .events[${index}] must be string`);
    const kind = corrected(event);
    if (kind !== everyKind && !known.has(kind)) {
      return refuse(
        'invalid_payload',
        `Property .events[${index}] should be equal to one of the allowed values ${allowed}`,
      );
    }
    kinds.add(kind);
  }
  return { kinds: (kinds.has(everyKind) ? [everyKind] : [...kinds]) as (WebhookKind | typeof everyKind)[] };
};
