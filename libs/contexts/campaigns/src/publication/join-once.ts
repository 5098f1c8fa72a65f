import type { PublicationRequest } from './publication-request';

/** What becomes of a publication to a customer who has one in the campaign: it is published all the same, the earlier
 *  one is answered, or it is refused. */
export type Rejoining = 'PUBLISH' | 'ANSWER_EARLIER' | 'REFUSE';

/** How a customer asks to join a campaign again. */
export interface JoinRequest {
  /** `?join_once=true` */
  asked: boolean;
  /** The call proves nothing about the customer that it names. */
  fromBrowser: boolean;
  campaign: { join_once: boolean };
  request: Pick<PublicationRequest, 'source' | 'source_id'>;
  /** The voucher that is named is one of the earlier publication. */
  namesEarlierVoucher: boolean;
}

/** Decides on a customer who has a publication in the campaign. Only the campaign makes an earlier code known to browsers, and not their
 *  own query. Source: reference 04 §8.2, ADR 125. */
export const rejoin = ({
  asked,
  fromBrowser,
  campaign,
  request,
  namesEarlierVoucher,
}: JoinRequest): Rejoining => {
  if (asked && !fromBrowser) return 'ANSWER_EARLIER';
  if (!campaign.join_once) return asked ? 'REFUSE' : 'PUBLISH';
  if ('voucher' in request.source) return namesEarlierVoucher ? 'PUBLISH' : 'REFUSE';
  return request.source_id === null ? 'ANSWER_EARLIER' : 'REFUSE';
};
