import type { CampaignTemplateEvent } from '@scrip/contracts/campaigns';
import { givenFor } from '@scrip/testing';
import { decideTemplate, evolveTemplate, type TemplateCommand, type TemplateState } from './template.decider';
import { templateSnapshot } from './template.fixture';

const given = givenFor<TemplateCommand, TemplateState | undefined, CampaignTemplateEvent>({
  decide: decideTemplate,
  evolve: evolveTemplate,
  initialState: () => undefined,
});

const now = '2026-04-01T10:00:00.000Z';
const template = templateSnapshot();
const source = { id: 'camp_1', object: 'campaign' as const };
const created: CampaignTemplateEvent = { type: 'CampaignTemplateCreated', data: { template, source } };
const deleted: CampaignTemplateEvent = {
  type: 'CampaignTemplateDeleted',
  data: { template_id: 'camp_tpl_1' },
};
const update = (fields: { name?: string; description?: string | null }): TemplateCommand => ({
  type: 'UpdateTemplate',
  id: 'camp_tpl_1',
  ...fields,
  now,
});
const updated = (fields: Partial<typeof template>): CampaignTemplateEvent => ({
  type: 'CampaignTemplateUpdated',
  data: { template: { ...template, ...fields, updated_at: now } },
});
const remove: TemplateCommand = { type: 'DeleteTemplate', id: 'camp_tpl_1' };
const unknown = { resourceId: 'camp_tpl_1', resourceType: 'campaign_template' };

describe('a template', () => {
  it('is created once', () => {
    const create: TemplateCommand = { type: 'CreateTemplate', template, source };
    given().when(create).then(created);
    given(created).when(create).then();
    given(created, deleted).when(create).then();
  });

  it('changes what is sent', () => {
    given(created)
      .when(update({ name: 'Other' }))
      .then(updated({ name: 'Other' }));
    given(created)
      .when(update({ description: 'Said' }))
      .then(updated({ description: 'Said' }));
    given(created, updated({ description: 'Said' }))
      .when(update({ description: null }))
      .then(updated({ description: null }));
  });

  it('stays where nothing changes', () => {
    given(created).when(update({})).then();
    given(created)
      .when(update({ name: 'Coupons', description: null }))
      .then();
  });

  it('is not found once it is deleted, and before it is created', () => {
    given(created).when(remove).then(deleted);
    for (const command of [remove, update({ name: 'Other' })]) {
      given(created, deleted).when(command).thenRefused('not_found', unknown);
      given().when(command).thenRefused('not_found', unknown);
    }
  });
});
