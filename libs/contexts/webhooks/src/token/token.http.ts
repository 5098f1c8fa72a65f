import { Body, Controller, Post } from '@nestjs/common';
import { ContextOf, Ctx, IsInteger, Operation } from '@scrip/edge';
import { type AuthPort, authPort, type ToldFact } from '@scrip/contracts/auth';
import { newEventId, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { IsOptional } from 'class-validator';
import type { RotatedTokenResponse } from './token.wire';
import { WebhookTokens } from './webhook-tokens';

/** Hours for which the token before signs along. Source: reference 06 §5.1. */
export const graceHours = { default: 24, max: 72 };

/** What the audit trail is told of a rotation.
 *  Machine time: when it was asked for. */
const rotation = ({ project, requestId, user, apiKey }: RequestContext): ToldFact => ({
  ...{
    event_id: newEventId(),
    recorded_at: new Date().toISOString(),
    project_id: project.id,
    request_id: requestId,
  },
  ...{ user_id: user?.id ?? null, key_id: apiKey?.id ?? null },
  ...{ action: 'webhook_token.rotated', resource_type: 'webhook_token', resource_id: null },
});

class RotationBody {
  @IsOptional()
  @IsInteger({ min: 0, max: graceHours.max })
  grace_period_hours?: number;
}

/** Source: reference 06 §5.5. */
@ContextOf('webhooks')
@Controller('management/v1/projects/:projectId/webhook-token')
export class TokenHttp {
  constructor(
    private readonly tokens: WebhookTokens,
    @InjectPort(authPort) private readonly auth: AuthPort,
  ) {}

  @Post('rotate')
  @Operation({
    id: 'rotateWebhookToken',
    summary: 'Replaces the token that signs webhooks',
    description: 'The token before signs along for the grace period. The new one is shown here only.',
    example: { grace_period_hours: 24 },
    answers: { 200: 'RotatedTokenResponse' },
  })
  async rotate(
    @Ctx() context: RequestContext,
    @Body() { grace_period_hours: hours }: RotationBody,
  ): Promise<RotatedTokenResponse> {
    // First: no token is ever replaced without an entry.
    await this.auth.enterAudit(context, { told: [rotation(context)] });
    return { webhook_token: await this.tokens.rotate(context.project.id, hours ?? graceHours.default) };
  }
}
