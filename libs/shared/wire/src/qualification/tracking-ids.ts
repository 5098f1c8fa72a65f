import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { RedemptionSnapshot } from '@scrip/contracts/qualification';
import { type Keyring, SealBroken } from '@scrip/kernel';

const prefix = 'track_';
/** The kernel's name of the form of its deterministic seals; base64 follows it. */
const form = 'd1.';

/** Encodes and reads tracking ids: the same identity of the same project always gives the same text, which does not
 *  reveal the identity. Source: reference 03 §3.4. */
export interface TrackingIds {
  encode(projectId: string, identity: string): string;
  /** The identity behind an encoded id of this project; null for any other text. */
  opened(projectId: string, sent: string): string | null;
  /** The identity behind an encoded id of this project; any other text is an identity itself. */
  identityOf(projectId: string, sent: string): string;
}

/** The purpose of the keys of tracking ids. */
export const trackingIdsPurpose = 'tracking-ids';

/** `keys`: those of the purpose. */
export const trackingIds = (keys: Keyring): TrackingIds => {
  const opened = (projectId: string, sent: string): string | null => {
    if (!sent.startsWith(prefix)) return null;
    try {
      const [project, identity] = JSON.parse(keys.openDeterministic(form + sent.slice(prefix.length))) as [
        string,
        string,
      ];
      return project === projectId ? identity : null;
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  };
  return {
    encode: (projectId, identity) =>
      prefix + keys.sealDeterministic(JSON.stringify([projectId, identity])).slice(form.length),
    opened,
    identityOf: (projectId, sent) => opened(projectId, sent) ?? sent,
  };
};

/** The tracking id that an entry shows. Of one with a customer it is made of that customer's source id now, and null
 *  where there is none any more: nothing stored tells it. Of one without it is the stored one. Source: ADR 156. */
export const shownTrackingId = (
  { customer_id, tracking_id }: Pick<RedemptionSnapshot, 'customer_id' | 'tracking_id'>,
  customer: Pick<CustomerSnapshot, 'source_id'> | null,
  encode: (identity: string) => string,
): string | null => {
  if (customer_id === null) return tracking_id;
  return customer?.source_id ? encode(customer.source_id) : null;
};
