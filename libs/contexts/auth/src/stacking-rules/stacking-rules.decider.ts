import type { ProjectEvent, StackingRulesSnapshot } from '@scrip/contracts/auth';
import { notFound, type Refusal, refuse } from '@scrip/kernel';
import { defaultStackingSettings, type StackingSettings } from '@scrip/order-calculation';
import { isDeepStrictEqual } from 'node:util';
import type { Project } from '../projects/project';

/** What can be asked of a project's stacking rules. `settings`: what is sent. */
export type StackingRulesCommand =
  | { type: 'CreateStackingRules'; id: string; now: string; settings: Partial<StackingSettings> }
  | { type: 'UpdateStackingRules'; id: string; now: string; settings: Partial<StackingSettings> }
  | { type: 'DeleteStackingRules'; id: string }
  | { type: 'ReleaseCategory'; category_id: string; remove: boolean; now: string };

/** What stacking rules are refused with. */
export type StackingRulesRefusal = Refusal<
  'not_found' | 'invalid_payload' | 'stacking_rules_exist' | 'resource_in_use'
>;

type Decision = ProjectEvent[] | StackingRulesRefusal;

type Limit =
  | 'applicable_redeemables_limit'
  | 'applicable_redeemables_per_category_limit'
  | 'applicable_exclusive_redeemables_per_category_limit';
type Whole = 'redeemables_limit' | 'applicable_redeemables_limit' | 'applicable_exclusive_redeemables_limit';

/** Limits that another one bounds, in the order of the table. */
const bounds: readonly (readonly [Limit, Whole])[] = [
  ['applicable_redeemables_limit', 'redeemables_limit'],
  ['applicable_redeemables_per_category_limit', 'applicable_redeemables_limit'],
  ['applicable_exclusive_redeemables_per_category_limit', 'applicable_exclusive_redeemables_limit'],
];

/** Lists that share no category. */
const disjoint = [
  ['exclusive_categories', 'joint_categories'],
  ['initial_amount_mode_categories', 'discounted_amount_mode_categories'],
  ['no_effect_skip_categories', 'no_effect_redeem_anyway_categories'],
] as const;

/** What is wrong with whole settings; null where nothing is. Source: reference 01 §10. */
const problemOf = (settings: StackingSettings): string | null => {
  for (const [limit, whole] of bounds)
    if ((settings[limit] ?? 0) > settings[whole]) return `Property .${limit} must be <= ${settings[whole]}`;
  for (const [one, other] of disjoint) {
    const shared = settings[other].find((category) => settings[one].includes(category));
    if (shared !== undefined) return `Property .${other} must not have ${shared}, which .${one} has`;
  }
  return null;
};

export const stackingRulesNotFound = (id: string): Refusal<'not_found'> =>
  notFound('stacking_rules', id, 'stacking rules');

const stored = (
  type: 'StackingRulesCreated' | 'StackingRulesUpdated',
  stacking_rules: StackingRulesSnapshot,
): Decision => {
  const problem = problemOf(stacking_rules.settings);
  return problem === null ? [{ type, data: { stacking_rules } }] : refuse('invalid_payload', problem);
};

const create = (
  { id, now, settings }: Extract<StackingRulesCommand, { type: 'CreateStackingRules' }>,
  known: StackingRulesSnapshot | undefined,
): Decision => {
  if (known?.id === id) return [];
  if (known) return refuse('stacking_rules_exist', `The project has stacking rules with id ${known.id}`);
  const whole = { ...defaultStackingSettings, ...settings };
  return stored('StackingRulesCreated', { id, settings: whole, created_at: now, updated_at: null });
};

const listsOfCategories = disjoint.flat();

/** The settings without a category. */
const withoutCategory = (settings: StackingSettings, category: string): StackingSettings => {
  const { [category]: _, ...limits } = settings.applicable_redeemables_category_limits;
  const lists = listsOfCategories.map((list) => [list, settings[list].filter((one) => one !== category)]);
  return {
    ...settings,
    ...(Object.fromEntries(lists) as Pick<StackingSettings, (typeof listsOfCategories)[number]>),
    applicable_redeemables_category_limits: limits,
  };
};

/** Stacking rules name a category. Source: reference 04 §15. */
const categoryInUse = (category: string, id: string): StackingRulesRefusal =>
  refuse(
    'resource_in_use',
    `Resource category with id ${category} is in use by stacking_rules with ids [${id}]`,
    {
      resourceId: category,
      resourceType: 'category',
      related_object_ids: [id],
      related_object_type: 'stacking_rules',
    },
  );

const release = (
  { category_id, remove, now }: Extract<StackingRulesCommand, { type: 'ReleaseCategory' }>,
  known: StackingRulesSnapshot | undefined,
): Decision => {
  if (!known) return [];
  const settings = withoutCategory(known.settings, category_id);
  if (isDeepStrictEqual(settings, known.settings)) return [];
  return remove
    ? stored('StackingRulesUpdated', { ...known, settings, updated_at: now })
    : categoryInUse(category_id, known.id);
};

/** What follows from a command; an empty list where the rules are so already. Refuses `stacking_rules_exist` for second ones,
 *  `not_found` for an id that is not theirs, `invalid_payload` for limits and lists that contradict each other, and
 *  `resource_in_use` for a category that they name and are to keep.
 *  Source: reference 01 §10. */
export const decideStackingRules = (
  command: StackingRulesCommand,
  { stacking_rules: known }: Pick<Project, 'stacking_rules'>,
): Decision => {
  if (command.type === 'CreateStackingRules') return create(command, known);
  if (command.type === 'ReleaseCategory') return release(command, known);
  if (known?.id !== command.id) return stackingRulesNotFound(command.id);
  if (command.type === 'DeleteStackingRules')
    return [{ type: 'StackingRulesDeleted', data: { stacking_rules_id: known.id } }];
  const settings = { ...known.settings, ...command.settings };
  return isDeepStrictEqual(settings, known.settings)
    ? []
    : stored('StackingRulesUpdated', { ...known, settings, updated_at: command.now });
};
