import type { RuledObjectType } from '@scrip/contracts/qualification';
import { countedCampaign, countedIncentive, counterRuleOf } from '@scrip/order-preview';
import { incentivesOf } from './counter';
import type { WantedScope } from './scope-activation';

/** What a rule is assigned to. `isNew`: it does not exist yet, so nothing of it can have been redeemed. */
export interface CountedObject {
  type: RuledObjectType;
  id: string;
  /** Of the campaign that it belongs to. */
  campaign_id: string | null;
  isNew?: boolean;
}

/** The scopes that limits read where a rule with these counters is assigned to an object. Of a campaign, each incentive by
 *  itself; what belongs to a campaign also reads counters of the campaign, which may be older than itself.
 *  Source: reference 02 §3.3. */
export const scopesRuledBy = (
  counters: readonly string[],
  { type, id, campaign_id, isNew = false }: CountedObject,
): WantedScope[] =>
  counters.flatMap((name): WantedScope[] => {
    const { of, countedBy: counted_by } = counterRuleOf(name);
    switch (type) {
      case 'campaign':
        return [{ object: of === 'campaign' ? countedCampaign(id) : incentivesOf(id), counted_by, isNew }];
      case 'voucher':
      case 'promotion_tier':
        return of === 'campaign' && campaign_id !== null
          ? [{ object: countedCampaign(campaign_id), counted_by }]
          : [{ object: countedIncentive(type, id), counted_by, isNew }];
      default:
        // Not counted: redemptions have no such objects.
        return [];
    }
  });
