import type { PromotionsPort, RedeemablePromotion } from '@scrip/contracts/promotions';
import { refuse } from '@scrip/kernel';
import { copied } from './claims.fixture';

/** Tiers and stacks by their ids. */
export class FakePromotions implements Pick<PromotionsPort, 'load'> {
  readonly promotions = new Map<string, RedeemablePromotion>();

  add(...promotions: RedeemablePromotion[]): void {
    for (const one of promotions)
      this.promotions.set('promotion_stack' in one ? one.promotion_stack.id : one.promotion_tier.id, one);
  }

  load: PromotionsPort['load'] = async (_, { objects }) =>
    copied(objects.map((id) => this.promotions.get(id) ?? refuse('not_found', id)));
}
