import type { QueuedRedeemable } from './processing-order';
import type { SkipReason } from './skip-reasons';
import type { StackingSettings } from './stacking-settings';

type Queued = Pick<QueuedRedeemable, 'categories' | 'stackingType'>;

const inCategory = (applied: readonly Queued[], id: string): readonly Queued[] =>
  applied.filter(({ categories }) => categories.some((category) => category.id === id));

const isExclusive = ({ stackingType }: Queued): boolean => stackingType === 'EXCLUSIVE';

/** One limit: whether `next` would exceed it after those that applied. */
type Limit = (next: Queued, applied: readonly Queued[], settings: StackingSettings) => boolean;

const redeemables: Limit = (_, applied, settings) => applied.length >= settings.applicable_redeemables_limit;

const exclusiveRedeemables: Limit = (next, applied, settings) =>
  isExclusive(next) && applied.filter(isExclusive).length >= settings.applicable_exclusive_redeemables_limit;

/** The limit of one category overrides the one that holds for each. */
const perCategory: Limit = ({ categories }, applied, settings) => {
  const limits = settings.applicable_redeemables_category_limits;
  return categories.some(({ id }) => {
    const own = Object.hasOwn(limits, id) ? limits[id] : undefined;
    const limit = own ?? settings.applicable_redeemables_per_category_limit;
    return limit !== null && inCategory(applied, id).length >= limit;
  });
};

const exclusivePerCategory: Limit = ({ categories }, applied, settings) => {
  const limit = settings.applicable_exclusive_redeemables_per_category_limit;
  if (limit === null) return false;
  return categories.some(
    ({ id }) =>
      settings.exclusive_categories.includes(id) &&
      inCategory(applied.filter(isExclusive), id).length >= limit,
  );
};

/** In order of precedence: the first that is exceeded is the reason. Source: reference 01 §10 step 4.3. */
const limits: readonly (readonly [SkipReason, Limit])[] = [
  ['applicable_redeemables_limit_exceeded', redeemables],
  ['applicable_exclusive_redeemables_limit_exceeded', exclusiveRedeemables],
  ['applicable_redeemables_per_category_limit_exceeded', perCategory],
  ['applicable_exclusive_redeemables_per_category_limit_exceeded', exclusivePerCategory],
];

/** Why a redeemable that could apply must not, given those that applied before it; null when it may. */
export const exceededLimit = (
  next: Queued,
  applied: readonly Queued[],
  settings: StackingSettings,
): SkipReason | null => limits.find(([, exceeds]) => exceeds(next, applied, settings))?.[0] ?? null;
