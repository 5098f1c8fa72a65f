import type { Scenario, TermSpace } from '@scrip/order-preview';
import type { CandidateKind } from '../candidates/candidate';
import { stackSpace } from '../candidates/rule-terms';

/** Where a scenario looks for candidates. `index` null: it takes none of the index; `held`: which of the customer's codes.
 *  Source: reference 02 §8. */
export interface CandidateScope {
  readonly index: {
    readonly space: string;
    /** The space whose terms the request has. */
    readonly terms: TermSpace;
    readonly kinds: readonly CandidateKind[];
  } | null;
  readonly held: 'BULK' | 'ALL' | null;
}

const published: readonly CandidateKind[] = ['voucher', 'campaign', 'promotion_tier'];

const by = (terms: TermSpace): CandidateScope => ({
  index: { space: terms, terms, kinds: published },
  held: 'BULK',
});

/** Where each scenario looks. */
export const scopes: Readonly<Record<Scenario, CandidateScope>> = {
  ALL: by('QUALIFY'),
  CUSTOMER_WALLET: { index: null, held: 'ALL' },
  AUDIENCE_ONLY: by('AUDIENCE'),
  PRODUCTS: by('NAMED'),
  PRODUCTS_DISCOUNT: by('DISCOUNTED'),
  PRODUCTS_BY_CUSTOMER: by('NAMED'),
  PRODUCTS_DISCOUNT_BY_CUSTOMER: by('DISCOUNTED'),
  PROMOTION_STACKS: {
    index: { space: stackSpace, terms: 'QUALIFY', kinds: ['promotion_stack'] },
    held: null,
  },
};
