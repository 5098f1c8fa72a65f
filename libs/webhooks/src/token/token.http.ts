import { Body, Controller, Post } from '@nestjs/common';
import { ContextOf, Ctx, IsInteger } from '@scrip/edge';
import type { RequestContext } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import { WebhookTokens } from './webhook-tokens';

/** Hours for which the token before signs along. Source: spec 06 §5.1. */
export const graceHours = { default: 24, max: 72 };

class RotationBody {
  @IsOptional()
  @IsInteger({ min: 0, max: graceHours.max })
  grace_period_hours?: number;
}

/** Source: spec 06 §5.5. */
@ContextOf('webhooks')
@Controller('management/v1/projects/:projectId/webhook-token')
export class TokenHttp {
  constructor(private readonly tokens: WebhookTokens) {}

  @Post('rotate')
  async rotate(@Ctx() { project }: RequestContext, @Body() { grace_period_hours: hours }: RotationBody) {
    return { webhook_token: await this.tokens.rotate(project.id, hours ?? graceHours.default) };
  }
}
