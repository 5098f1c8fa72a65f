import type { CampaignTemplateEvent } from '@scrip/contracts/campaigns';
import type { AggregateDefinition } from '@scrip/event-store';
import { duplicateTemplate, evolveTemplate, type TemplateState } from './template.decider';

/** How templates are stored. Names are unique among those of a project that are not deleted. */
export const templateAggregate: AggregateDefinition<TemplateState, CampaignTemplateEvent> = {
  aggregate: 'template',
  table: 'campaign_templates',
  evolve: evolveTemplate,
  columns: {
    name: { type: 'text', of: ({ template }) => template.name },
    campaign_type: { type: 'text', of: ({ template }) => template.campaign_type },
    deleted: { type: 'boolean', of: ({ deleted }) => deleted },
  },
  conflicts: {
    campaign_templates_name: ({ template }) => duplicateTemplate(template.name),
  },
};
