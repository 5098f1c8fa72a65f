import { SealBroken, deriveKey, openDeterministic, sealDeterministic } from '@scrip/kernel';

const prefix = 'track_';
/** The kernel's name of the form of its deterministic seals; base64 follows it. */
const form = 'd1.';

/** Encodes and reads tracking ids: the same identity of the same project always gives the same text, which tells
 *  nobody the identity. Source: spec 03 §3.4. */
export interface TrackingIds {
  encode(projectId: string, identity: string): string;
  /** The identity behind an encoded id of this project; any other text is an identity itself. */
  identityOf(projectId: string, sent: string): string;
}

/** A customer as a request sent it, with the source id behind an encoded one. */
export const readableCustomer = <Sent extends { source_id?: string | null | undefined }>(
  customer: Sent,
  tracking: TrackingIds,
  projectId: string,
): Sent =>
  typeof customer.source_id === 'string'
    ? { ...customer, source_id: tracking.identityOf(projectId, customer.source_id) }
    : customer;

/** `masterKey`: 32 bytes. */
export const trackingIds = (masterKey: Buffer): TrackingIds => {
  const key = deriveKey(masterKey, 'tracking-ids');
  return {
    encode: (projectId, identity) =>
      prefix + sealDeterministic(JSON.stringify([projectId, identity]), key).slice(form.length),
    identityOf: (projectId, sent) => {
      if (!sent.startsWith(prefix)) return sent;
      try {
        const [project, identity] = JSON.parse(openDeterministic(form + sent.slice(prefix.length), key)) as [
          string,
          string,
        ];
        return project === projectId ? identity : sent;
      } catch (error) {
        if (error instanceof SealBroken) return sent;
        throw error;
      }
    },
  };
};
