import { Body, Controller, Post, Res } from '@nestjs/common';
import { ContextOf, Ctx, Refusals } from '@scrip/edge';
import type { RequestContext } from '@scrip/kernel';
import { type IssuedToken, TokenHandlers } from './token.handlers';

type Form = Readonly<Record<string, string | undefined>> | undefined;

interface StatusReply {
  code(status: number): unknown;
}

/** The token endpoints: forms in, JSON out. Source: spec 07 §2.1. */
@Controller('v1/oauth')
@ContextOf('auth')
@Refusals({
  missing_parameters: { status: 400, message: 'Missing parameters' },
  invalid_grant_type: { status: 400, message: 'Invalid grant_type' },
  invalid_scope: { status: 400, message: 'Invalid scope' },
  oauth_tokens_limit_exceeded: { status: 400, message: 'OAuth tokens limit exceeded' },
})
export class TokenController {
  constructor(private readonly tokens: TokenHandlers) {}

  @Post('token')
  issue(@Ctx() context: RequestContext, @Body() form: Form): Promise<IssuedToken | object> {
    return this.tokens.issue(context, form ?? {});
  }

  @Post('introspect')
  introspect(@Ctx() context: RequestContext, @Body() form: Form): Promise<object> {
    return this.tokens.introspect(context, form ?? {});
  }

  /** 204, or 404 without a body: the contract says so. */
  @Post('token/revoke')
  async revoke(
    @Ctx() context: RequestContext,
    @Body() form: Form,
    @Res({ passthrough: true }) reply: StatusReply,
  ): Promise<void> {
    reply.code((await this.tokens.revoke(context, form ?? {})) ? 204 : 404);
  }
}
