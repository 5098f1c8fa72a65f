import type { CampaignSnapshot, CodeConfig, VoucherTemplate } from '@scrip/contracts/campaigns';
import { taskIdPrefix, type TaskEvent } from '@scrip/contracts/operations';
import type { NewStream } from '@scrip/event-store';
import { type IdSource, type RequestContext } from '@scrip/kernel';
import { enqueuedTask, payloadRow } from '@scrip/tasks';
import type { GenerationPayload } from './generation-payload';

/** A code order: a request for `count` codes of a campaign. */
export interface CodeOrder {
  campaign: CampaignSnapshot;
  template: VoucherTemplate;
  /** Names of the template's fields that the order itself sets. */
  ownFields: readonly string[];
  /** The definition that says so already, where there is one. */
  sharedDefinition?: string | undefined;
  code_config: CodeConfig;
  count: number;
  initial: boolean;
}

/** The id of the task of a code order; a repeated call has the same. */
export const generationTaskId = (ids: IdSource) => ids.next(taskIdPrefix.campaigns, 'async-action');

/** Returns the task that carries a code order out, with the definition its codes will point at where none is there: one stream to
 *  be created. */
export const generationTask = (
  { requestId, project }: RequestContext,
  { campaign, template, ownFields, sharedDefinition, code_config, count, initial }: CodeOrder,
  ids: IdSource,
  now: string,
): NewStream<TaskEvent> => {
  const id = generationTaskId(ids);
  const definition_id = sharedDefinition ?? ids.next('vd_', 'definition');
  const values = { project_id: project.id, id: definition_id, template, own_fields: ownFields };
  const kind = 'CAMPAIGN.VOUCHERS_GENERATE' as const;
  const work = { kind, campaign_id: campaign.id, count };
  const payload: GenerationPayload = { definition_id, code_config, initial };
  return {
    streamId: id,
    events: enqueuedTask({ id, request_id: requestId, work, now }),
    rows: [
      ...(sharedDefinition ? [] : [{ insert: 'voucher_definitions', values }]),
      payloadRow({ project_id: project.id, task_id: id }, payload),
    ],
  };
};
