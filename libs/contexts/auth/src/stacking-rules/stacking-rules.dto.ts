import { IsAnything, IsInteger, IsOneOf, IsTextList } from '@scrip/edge';
import { refuse } from '@scrip/kernel';
import type { StackingSettings } from '@scrip/order-calculation';
import { IsOptional } from 'class-validator';
import type { ManagementRefusal } from '../auth.refusals';

const categoriesMax = 100;
const limitOfCategoryMax = 10;

const IsCategories = () =>
  IsTextList({ max: categoriesMax, maxLength: 64, description: 'Ids of categories.' });
const modes = ['DISCOUNTED_AMOUNT', 'INITIAL_AMOUNT'] as const;

/** Stacking rules, or a change of them. Source: reference 01 §10. */
export class StackingRulesBody {
  @IsOptional() @IsInteger({ min: 1, max: 30 }) redeemables_limit?: number;
  @IsOptional() @IsInteger({ min: 1, max: 30 }) applicable_redeemables_limit?: number;
  @IsOptional() @IsInteger({ min: 1, max: 30 }) applicable_redeemables_per_category_limit?: number | null;

  @IsOptional()
  @IsAnything({
    type: 'object',
    description: 'By ids of categories.',
    additionalProperties: { type: 'integer', minimum: 1, maximum: limitOfCategoryMax },
    maxProperties: categoriesMax,
  })
  applicable_redeemables_category_limits?: unknown;

  @IsOptional() @IsInteger({ min: 1, max: 5 }) applicable_exclusive_redeemables_limit?: number;

  @IsOptional()
  @IsInteger({ min: 1, max: 5 })
  applicable_exclusive_redeemables_per_category_limit?: number | null;

  @IsOptional() @IsCategories() exclusive_categories?: string[];
  @IsOptional() @IsCategories() joint_categories?: string[];
  @IsOptional() @IsOneOf(['ALL', 'PARTIAL']) redeemables_application_mode?: 'ALL' | 'PARTIAL';

  @IsOptional()
  @IsOneOf(['REQUESTED_ORDER', 'CATEGORY_HIERARCHY'])
  redeemables_sorting_rule?: StackingSettings['redeemables_sorting_rule'];

  @IsOptional()
  @IsOneOf(['JOINT_ALWAYS_LAST', 'REDEEMABLES_SORTING_RULE'])
  grouped_redeemables_sorting_rule?: StackingSettings['grouped_redeemables_sorting_rule'];

  @IsOptional() @IsOneOf(modes) discount_calculation_mode?: (typeof modes)[number];
  @IsOptional() @IsCategories() initial_amount_mode_categories?: string[];
  @IsOptional() @IsCategories() discounted_amount_mode_categories?: string[];
  @IsOptional() @IsOneOf(['STACK', 'ONCE']) redeemables_products_application_mode?: 'STACK' | 'ONCE';
  @IsOptional() @IsOneOf(['REDEEM_ANYWAY', 'SKIP']) redeemables_no_effect_rule?: 'REDEEM_ANYWAY' | 'SKIP';
  @IsOptional() @IsCategories() no_effect_skip_categories?: string[];
  @IsOptional() @IsCategories() no_effect_redeem_anyway_categories?: string[];

  @IsOptional()
  @IsOneOf(['WITH_ORDER', 'WITHOUT_ORDER'])
  redeemables_rollback_order_mode?: 'WITH_ORDER' | 'WITHOUT_ORDER';
}

const problemOfCategoryLimits = (limits: unknown): string | null => {
  const path = 'Property .applicable_redeemables_category_limits';
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) return `${path} must be object`;
  const entries = Object.entries(limits) as [string, unknown][];
  if (entries.length > categoriesMax) return `${path} should NOT have more than ${categoriesMax} properties`;
  for (const [category, limit] of entries) {
    if (!Number.isInteger(limit)) return `${path}.${category} must be integer`;
    if ((limit as number) < 1) return `${path}.${category} must be >= 1`;
    if ((limit as number) > limitOfCategoryMax) return `${path}.${category} must be <= ${limitOfCategoryMax}`;
  }
  return null;
};

/** Null takes a limit away; elsewhere it counts as not sent. */
const nullable: readonly string[] = [
  'applicable_redeemables_per_category_limit',
  'applicable_exclusive_redeemables_per_category_limit',
];

/** Reads what is sent. Refuses `invalid_payload` for wrong limits of categories. */
export const settingsIn = (body: StackingRulesBody): Partial<StackingSettings> | ManagementRefusal => {
  const limits = body.applicable_redeemables_category_limits;
  const problem = limits == null ? null : problemOfCategoryLimits(limits);
  if (problem !== null) return refuse('invalid_payload', problem);
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => value !== undefined && (value !== null || nullable.includes(name)),
    ),
  ) as Partial<StackingSettings>;
};
