import type { MigrationClass } from '@scrip/event-store';
import { CreatePromotionStacks1800000005008 } from './create-promotion-stacks.migration';
import { CreatePromotionTiers1800000005007 } from './create-promotion-tiers.migration';
import { CreateTierSummaries1802900000142 } from './create-tier-summaries.migration';
import { RulesComeWithBodies1802200000116 } from './rules-come-with-bodies.migration';

/** The schema of the context `promotions`. */
export const promotionsMigrations: MigrationClass[] = [
  CreatePromotionTiers1800000005007,
  CreatePromotionStacks1800000005008,
  RulesComeWithBodies1802200000116,
  CreateTierSummaries1802900000142,
];
