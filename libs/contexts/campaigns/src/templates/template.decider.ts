import type {
  CampaignTemplateEvent,
  CampaignTemplateSnapshot,
  TemplateSource,
} from '@scrip/contracts/campaigns';
import type { Instant } from '@scrip/contracts/snapshot';
import { notFound, type Refusal, refuse } from '@scrip/kernel';

/** A template as its stream tells it; a deleted one keeps what it was. */
export interface TemplateState {
  template: CampaignTemplateSnapshot;
  deleted: boolean;
}

/** What can be asked of a template; absent fields stay. */
export type TemplateCommand =
  | {
      type: 'CreateTemplate';
      template: CampaignTemplateSnapshot;
      source: TemplateSource;
    }
  | { type: 'UpdateTemplate'; id: string; name?: string; description?: string | null; now: Instant }
  | { type: 'DeleteTemplate'; id: string };

const resourceType = 'campaign_template';

/** No template has that id. */
export const templateNotFound = (id: string): Refusal<'not_found'> => notFound(resourceType, id);

/** A template of that name exists. Source: reference 04 §1. */
export const duplicateTemplate = (name: string): Refusal<'duplicate_found'> =>
  refuse('duplicate_found', `Duplicated ${resourceType} exists with name ${name}`, {
    resourceId: name,
    resourceType,
  });

/** A repeated creation, and what changes nothing, append nothing. Refuses `not_found`. Source: reference 04 §12. */
export const decideTemplate = (
  command: TemplateCommand,
  state: TemplateState | undefined,
): CampaignTemplateEvent[] | Refusal<'not_found'> => {
  if (command.type === 'CreateTemplate') {
    const { template, source } = command;
    return state ? [] : [{ type: 'CampaignTemplateCreated', data: { template, source } }];
  }
  if (!state || state.deleted) return templateNotFound(command.id);
  const { template } = state;
  switch (command.type) {
    case 'UpdateTemplate': {
      const { name = template.name, description = template.description, now } = command;
      return name === template.name && description === template.description
        ? []
        : [
            {
              type: 'CampaignTemplateUpdated',
              data: { template: { ...template, name, description, updated_at: now } },
            },
          ];
    }
    case 'DeleteTemplate':
      return [{ type: 'CampaignTemplateDeleted', data: { template_id: template.id } }];
    default:
      return command satisfies never;
  }
};

/** Copies what events say. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveTemplate = (
  state: TemplateState | undefined,
  event: CampaignTemplateEvent,
): TemplateState | undefined => {
  switch (event.type) {
    case 'CampaignTemplateCreated':
      return { template: event.data.template, deleted: false };
    case 'CampaignTemplateUpdated':
      return state && { ...state, template: event.data.template };
    case 'CampaignTemplateDeleted':
      return state && { ...state, deleted: true };
    default:
      return event satisfies never;
  }
};
