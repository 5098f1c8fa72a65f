import { isFromBrowser, type Keyring, newId, type RequestContext, refuse, SealBroken } from '@scrip/kernel';
import type { QualificationRefusal } from '../qualification.refusals';

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

/** A customer as a request sent it, with the source id behind an encoded one. */
export const readableCustomer = <Sent extends { source_id?: string | null | undefined }>(
  customer: Sent,
  tracking: TrackingIds,
  projectId: string,
): Sent =>
  typeof customer.source_id === 'string'
    ? { ...customer, source_id: tracking.identityOf(projectId, customer.source_id) }
    : customer;

/** Where a request says who its customer is. */
interface SentIdentities {
  customer?: { id?: string | undefined; source_id?: string | null | undefined } | undefined;
  tracking_id?: string | undefined;
}

/** The refusal of a browser that says by its tracking id that it is another customer than the one it names by source id; null: it is
 *  one. Servers speak for many customers, and the source id counts. Only what is sent is compared, so that no caller learns the
 *  source id of an id. Source: reference 03 §3.4. */
export const ambiguousIdentity = (
  tracking: Pick<TrackingIds, 'identityOf'>,
  context: RequestContext,
  { customer, tracking_id }: SentIdentities,
): QualificationRefusal | null => {
  if (!isFromBrowser(context) || customer?.id !== undefined) return null;
  const identities = [customer?.source_id, tracking_id]
    .filter((sent) => typeof sent === 'string')
    .map((sent) => tracking.identityOf(context.project.id, sent));
  return new Set(identities).size > 1
    ? refuse('ambiguous_tracking_id', 'Property .tracking_id must name the customer of .customer.source_id')
    : null;
};

/** The tracking id that an answer has: of the customer's source id, else of the sent tracking id, else of a new identity; null for
 *  browsers, which are not told. Source: reference 03 §3.4. */
export const answeredTrackingId = (
  tracking: Pick<TrackingIds, 'encode' | 'identityOf'>,
  context: RequestContext,
  { tracking_id }: { tracking_id?: string | undefined },
  customer: { source_id: string | null } | null,
): string | null => {
  if (isFromBrowser(context)) return null;
  const { id } = context.project;
  const sent = tracking_id === undefined ? undefined : tracking.identityOf(id, tracking_id);
  return tracking.encode(id, customer?.source_id ?? sent ?? newId('anon_'));
};

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
