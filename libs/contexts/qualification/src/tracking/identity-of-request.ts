import { isFromBrowser, newId, type RequestContext, refuse } from '@scrip/kernel';
import type { QualificationRefusal } from '../qualification.refusals';
import type { TrackingIds } from '@scrip/wire/qualification';

/** Where a request says who its customer is. */
interface SentIdentities {
  customer?: { id?: string | undefined; source_id?: string | null | undefined } | undefined;
  tracking_id?: string | undefined;
}

/** A customer as a request sent it, with the source id behind an encoded one. */
export const readableCustomer = <Sent extends { source_id?: string | null | undefined }>(
  customer: Sent,
  tracking: Pick<TrackingIds, 'identityOf'>,
  projectId: string,
): Sent =>
  typeof customer.source_id === 'string'
    ? { ...customer, source_id: tracking.identityOf(projectId, customer.source_id) }
    : customer;

/** The source id that a request proves: the one behind an encoded tracking id, sent as `customer.source_id` or as
 *  `tracking_id`. Servers give these out; no other caller can make them. Null: it proves none.
 *  Source: reference 03 §3.4. */
export const provenIdentity = (
  { customer, tracking_id }: SentIdentities,
  tracking: Pick<TrackingIds, 'opened'>,
  projectId: string,
): string | null => {
  const sent = [customer?.source_id, tracking_id].filter((text) => typeof text === 'string');
  return sent.map((text) => tracking.opened(projectId, text)).find((identity) => identity !== null) ?? null;
};

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

/** Who the customer of a request is: the source id of the customer, else what a sent tracking id stands for; null: neither is known.
 *  Source: reference 03 §3.4. */
export const identityOfRequest = (
  tracking: Pick<TrackingIds, 'identityOf'>,
  projectId: string,
  { tracking_id }: Pick<SentIdentities, 'tracking_id'>,
  customer: { source_id: string | null } | null,
): string | null =>
  customer?.source_id ?? (tracking_id === undefined ? null : tracking.identityOf(projectId, tracking_id));

/** The tracking id that an answer has: of the request's identity, else of a new one; null for browsers, which are not told.
 *  Source: reference 03 §3.4. */
export const answeredTrackingId = (
  tracking: Pick<TrackingIds, 'encode' | 'identityOf'>,
  context: RequestContext,
  request: Pick<SentIdentities, 'tracking_id'>,
  customer: { source_id: string | null } | null,
): string | null => {
  if (isFromBrowser(context)) return null;
  const { id } = context.project;
  return tracking.encode(id, identityOfRequest(tracking, id, request, customer) ?? newId('anon_'));
};
