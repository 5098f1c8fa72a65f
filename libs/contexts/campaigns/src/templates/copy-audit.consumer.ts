import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { type AuthPort, authPort, type ToldFact } from '@scrip/contracts/auth';
import type { CampaignTemplateCreated } from '@scrip/contracts/campaigns';
import { topics } from '@scrip/contracts/registry';
import { newRequestId, noDeadline } from '@scrip/kernel';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { InjectPort } from '@scrip/rpc';

/** What the audit trail of the project that got a copy is told: its source is in another project, perhaps. */
const toldBy = ({
  id,
  type,
  recordedAt,
  projectId,
  streamId,
  data,
  metadata,
}: EventBatch['events'][number]): ToldFact[] => {
  if (type !== 'CampaignTemplateCreated') return [];
  const { source } = data as unknown as CampaignTemplateCreated['data'];
  if (source.object !== 'campaign_template') return [];
  return [
    {
      ...{
        event_id: id,
        recorded_at: recordedAt,
        project_id: projectId,
        request_id: metadata.correlation_id,
      },
      ...{ user_id: metadata.actor_id ?? null, key_id: metadata.api_key_id ?? null },
      ...{ action: 'campaign_template.copied', resource_type: 'campaign_template', resource_id: streamId },
      changes: { source_id: source.id, source_project_id: source.project_id },
    },
  ];
};

/** Tells the audit trail of copies of templates; an event that is told again changes nothing. Source: reference 07 §2.6. */
@Controller()
export class CopyAuditConsumer {
  constructor(@InjectPort(authPort) private readonly auth: AuthPort) {}

  @Consumes(topics.campaignTemplate, { group: 'campaigns.copy-audit' })
  async copied(@Payload() batch: EventBatch): Promise<void> {
    const told = batch.events.flatMap(toldBy);
    if (told.length === 0) return;
    const call = { requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null };
    await this.auth.enterAudit(call, { told });
  }
}
