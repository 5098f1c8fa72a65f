import type { PublicationSnapshot } from '@scrip/contracts/campaigns';
import type { ProjectContext } from '@scrip/kernel';
import { foldCode } from '../generation/code-config';
import type { RequestedSource } from './publication-request';

/** Whether a request names what a stored publication was made from: the same voucher, or as many codes of the same campaign.
 *  Source: reference 04 §15. */
export const repeats = (
  source: RequestedSource,
  { named, vouchers, campaign, campaign_id }: PublicationSnapshot,
  { caseSensitiveCodes }: Pick<ProjectContext, 'caseSensitiveCodes'>,
): boolean => {
  if ('campaign' in source) {
    const isCampaign = source.campaign === campaign_id || source.campaign === campaign;
    return named === 'campaign' && isCampaign && source.count === vouchers.length;
  }
  const [only] = vouchers;
  if (named !== 'voucher' || !only) return false;
  const fold = (code: string) => foldCode(code, caseSensitiveCodes);
  return source.voucher === only.id || fold(source.voucher) === fold(only.code);
};
