import { createHash } from 'node:crypto';
import type { ReferralEvent } from '@scrip/contracts/campaigns';
import type { AggregateDefinition } from '@scrip/event-store';
import { evolveReferral, type ReferralState } from './conversion.decider';

/** How referrals are stored. The stream of a campaign and a customer is unique by its id. */
export const referralAggregate: AggregateDefinition<ReferralState, ReferralEvent> = {
  aggregate: 'referral',
  table: 'referrals',
  evolve: evolveReferral,
  columns: {},
};

/** The stream of a campaign and a customer, `rfl_…`: the same at every process. */
export const referralIdOf = (campaignId: string, customerId: string): string =>
  `rfl_${createHash('sha256')
    .update(JSON.stringify([campaignId, customerId]))
    .digest('hex')
    .slice(0, 32)}`;
