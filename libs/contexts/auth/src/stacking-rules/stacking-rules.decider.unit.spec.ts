import type { ProjectEvent } from '@scrip/contracts/auth';
import { defaultStackingSettings, type StackingSettings } from '@scrip/order-calculation';
import { givenFor } from '@scrip/testing';
import projectCreated from '../projects/fixtures/project-created.v1.json';
import rulesCreated from '../projects/fixtures/stacking-rules-created.v1.json';
import rulesDeleted from '../projects/fixtures/stacking-rules-deleted.v1.json';
import rulesUpdated from '../projects/fixtures/stacking-rules-updated.v1.json';
import { evolveProject, type Project } from '../projects/project';
import { decideProject, type ProjectCommand } from '../projects/project.decider';

const events = [projectCreated, rulesCreated, rulesUpdated, rulesDeleted] as unknown as ProjectEvent[];
const [created, made, changed, deleted] = events as [ProjectEvent, ProjectEvent, ProjectEvent, ProjectEvent];
const { settings, ...snapshot } = rulesCreated.data.stacking_rules;
const now = '2026-04-01T10:00:00.000Z';

const given = givenFor<ProjectCommand, Project | undefined, ProjectEvent>({
  decide: decideProject,
  evolve: evolveProject,
  initialState: undefined,
});

const creation = (sent: object, id = 'stk_1'): ProjectCommand => ({
  type: 'CreateStackingRules',
  ...{ id, now: snapshot.created_at, settings: sent as Partial<StackingSettings> },
});
const change = (sent: object, id = 'stk_1'): ProjectCommand => ({
  type: 'UpdateStackingRules',
  ...{ id, now, settings: sent as Partial<StackingSettings> },
});

describe('the stacking rules of a project', () => {
  it('are the defaults with what is sent', () => {
    given(created)
      .when(creation({ redeemables_limit: 7 }))
      .then({
        type: 'StackingRulesCreated',
        data: {
          stacking_rules: { ...snapshot, settings: { ...defaultStackingSettings, redeemables_limit: 7 } },
        },
      });
  });

  it('are stored once, and a repetition under the same id finds them', () => {
    given(created, made).when(creation({}, 'stk_2')).thenRefused('stacking_rules_exist');
    given(created, made).when(creation({})).then();
    given(created, made, deleted).when(creation(settings)).then(made);
  });

  it('keep what a change does not send', () => {
    given(created, made)
      .when(change({ redeemables_limit: 10 }))
      .then(changed);
    given(created, made).when(change(settings)).then();
  });

  it('let a category go from everywhere they name it, and keep it otherwise', () => {
    const sent = {
      exclusive_categories: ['a', 'b'],
      initial_amount_mode_categories: ['a'],
      no_effect_redeem_anyway_categories: ['a', 'c'],
      applicable_redeemables_category_limits: { a: 2, b: 3 },
    };
    const naming = { ...snapshot, settings: { ...defaultStackingSettings, ...sent } };
    const stored: ProjectEvent = { type: 'StackingRulesCreated', data: { stacking_rules: naming } };
    const release = (category_id: string, remove: boolean): ProjectCommand => ({
      type: 'ReleaseCategory',
      ...{ category_id, remove, now },
    });
    given(created, stored)
      .when(release('a', true))
      .then({
        type: 'StackingRulesUpdated',
        data: {
          stacking_rules: {
            ...naming,
            settings: {
              ...naming.settings,
              exclusive_categories: ['b'],
              initial_amount_mode_categories: [],
              no_effect_redeem_anyway_categories: ['c'],
              applicable_redeemables_category_limits: { b: 3 },
            },
            updated_at: now,
          },
        },
      });
    given(created, stored)
      .when(release('a', false))
      .thenRefused('resource_in_use', {
        details: 'Resource category with id a is in use by stacking_rules with ids [stk_1]',
        ...{ resourceId: 'a', resourceType: 'category' },
        ...{ related_object_ids: ['stk_1'], related_object_type: 'stacking_rules' },
      });
    for (const past of [[created], [created, stored]])
      for (const remove of [true, false])
        given(...past)
          .when(release('d', remove))
          .then();
  });

  it('are deleted by their id only', () => {
    given(created, made).when({ type: 'DeleteStackingRules', id: 'stk_1' }).then(deleted);
    for (const past of [[created], [created, made, deleted]])
      given(...past)
        .when({ type: 'DeleteStackingRules', id: 'stk_1' })
        .thenRefused('not_found', {
          details: 'Cannot find stacking rules with id stk_1',
          resourceType: 'stacking_rules',
        });
    given(created, made).when(change({}, 'stk_2')).thenRefused('not_found', { resourceId: 'stk_2' });
  });

  it('have another version after each change', () => {
    const versionAfter = (...past: ProjectEvent[]) =>
      past.reduce<Project | undefined>(evolveProject, undefined)?.project.stackingRulesVersion;
    expect([1, 2, 3, 4].map((count) => versionAfter(...events.slice(0, count)))).toEqual([
      undefined,
      1,
      2,
      3,
    ]);
  });

  test.each<[object, string]>([
    [{ redeemables_limit: 4 }, 'Property .applicable_redeemables_limit must be <= 4'],
    [
      { applicable_redeemables_per_category_limit: 6 },
      'Property .applicable_redeemables_per_category_limit must be <= 5',
    ],
    [
      { applicable_exclusive_redeemables_per_category_limit: 2 },
      'Property .applicable_exclusive_redeemables_per_category_limit must be <= 1',
    ],
    [
      { exclusive_categories: ['a', 'b'], joint_categories: ['b'] },
      'Property .joint_categories must not have b, which .exclusive_categories has',
    ],
    [
      { initial_amount_mode_categories: ['a'], discounted_amount_mode_categories: ['a'] },
      'Property .discounted_amount_mode_categories must not have a, which .initial_amount_mode_categories has',
    ],
    [
      { no_effect_skip_categories: ['a'], no_effect_redeem_anyway_categories: ['a'] },
      'Property .no_effect_redeem_anyway_categories must not have a, which .no_effect_skip_categories has',
    ],
  ])('refuse %j', (sent, details) => {
    given(created).when(creation(sent)).thenRefused('invalid_payload', { details });
    given(created, made).when(change(sent)).thenRefused('invalid_payload', { details });
  });

  test.each([
    { redeemables_limit: 5 },
    { applicable_redeemables_per_category_limit: 5 },
    { applicable_exclusive_redeemables_per_category_limit: 1 },
  ])('take %j, which is just within another limit', (sent) => {
    given(created)
      .when(creation(sent))
      .then({
        type: 'StackingRulesCreated',
        data: { stacking_rules: { ...snapshot, settings: { ...defaultStackingSettings, ...sent } } },
      });
  });
});
