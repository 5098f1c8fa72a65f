import type { RefusalTableOf } from '@scrip/edge';
import { notFound, type Refusal, refuse } from '@scrip/kernel';

/** What promotions refuse with. */
export type PromotionsRefusalKey =
  | 'not_found'
  | 'invalid_payload'
  | 'invalid_query_params'
  | 'invalid_campaign'
  | 'metadata_validation_failed';

/** A refusal of promotions. */
export type PromotionsRefusal = Refusal<PromotionsRefusalKey>;

/** Status and message of each key of its own; others mean the same everywhere. Source: reference 04 §1, 07 §1.3. */
export const promotionsRefusals = {
  invalid_campaign: { status: 400, message: 'Invalid Campaign' },
} satisfies RefusalTableOf<PromotionsRefusalKey>;

/** No campaign has that id or name. */
export const campaignNotFound = (idOrName: string) => notFound('campaign', idOrName);

/** No tier has that id. */
export const tierNotFound = (id: string) => notFound('promotion_tier', id);

/** No stack of the campaign has that id. */
export const stackNotFound = (id: string) => notFound('promotion_stack', id);

/** A campaign has no place for one more stack. Source: reference 04 §10. */
export const tooManyStacks = (max: number) =>
  refuse('invalid_campaign', `A campaign holds at most ${max} promotion stacks.`);

/** A campaign has no place for one more tier. Source: reference 04 §10. */
export const tooManyTiers = (max: number) =>
  refuse('invalid_campaign', `A campaign holds at most ${max} promotion tiers.`);
