import type { RuleMode } from '@scrip/rules';
import type { ProductFilter } from './product-filter';

/** How a scenario of `POST /v1/qualifications` judges: which rules it evaluates, and whether products decide.
 *  Source: reference 02 §8. */
export interface Judgement {
  readonly mode: RuleMode;
  readonly products: ProductFilter | null;
}

/** The judgement of each scenario; which candidates it looks at is the caller's part. */
export const scenarios = {
  ALL: { mode: 'QUALIFY', products: null },
  CUSTOMER_WALLET: { mode: 'QUALIFY', products: null },
  AUDIENCE_ONLY: { mode: 'AUDIENCE', products: null },
  PRODUCTS: { mode: 'PRODUCT', products: 'ANY' },
  PRODUCTS_DISCOUNT: { mode: 'PRODUCT', products: 'DISCOUNT' },
  PRODUCTS_BY_CUSTOMER: { mode: 'AUDIENCE', products: 'ANY' },
  PRODUCTS_DISCOUNT_BY_CUSTOMER: { mode: 'AUDIENCE', products: 'DISCOUNT' },
  PROMOTION_STACKS: { mode: 'QUALIFY', products: null },
} as const satisfies Record<string, Judgement>;

/** The scenarios by name. */
export type Scenario = keyof typeof scenarios;
