import { Body, Controller, Post } from '@nestjs/common';
import { ContextOf, Ctx, IsInteger, Operation } from '@scrip/edge';
import type { RequestContext } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import type { RotatedTokenResponse } from './token.wire';
import { WebhookTokens } from './webhook-tokens';

/** Hours for which the token before signs along. Source: reference 06 §5.1. */
export const graceHours = { default: 24, max: 72 };

class RotationBody {
  @IsOptional()
  @IsInteger({ min: 0, max: graceHours.max })
  grace_period_hours?: number;
}

/** Source: reference 06 §5.5. */
@ContextOf('webhooks')
@Controller('management/v1/projects/:projectId/webhook-token')
export class TokenHttp {
  constructor(private readonly tokens: WebhookTokens) {}

  @Post('rotate')
  @Operation({
    id: 'rotateWebhookToken',
    summary: 'Replaces the token that signs webhooks',
    description: 'The token before signs along for the grace period. The new one is shown here only.',
    example: { grace_period_hours: 24 },
    answers: { 200: 'RotatedTokenResponse' },
  })
  async rotate(
    @Ctx() { project }: RequestContext,
    @Body() { grace_period_hours: hours }: RotationBody,
  ): Promise<RotatedTokenResponse> {
    return { webhook_token: await this.tokens.rotate(project.id, hours ?? graceHours.default) };
  }
}
