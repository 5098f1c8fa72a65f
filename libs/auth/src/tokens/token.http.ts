import { Body, Controller, Post, Res } from '@nestjs/common';
import { ContextOf, Ctx, type JsonSchema, Operation, Refusals } from '@scrip/edge';
import type { RequestContext } from '@scrip/kernel';
import { TokenHandlers } from './token.handlers';
import type { IssuedToken } from './token.wire';

type Form = Readonly<Record<string, string | undefined>> | undefined;

const formOf = (fields: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties: fields,
  required: Object.keys(fields),
});

const tokenForm = formOf({ access_token: { type: 'string', minLength: 1 } });

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
  @Operation({
    id: 'issueAccessToken',
    summary: 'Issues an access token',
    description: 'It ends by itself after 900 seconds.',
    body: formOf({
      grant_type: { const: 'client_credentials' },
      scope: { type: 'string', minLength: 1, description: 'Names of scopes, separated by single blanks.' },
    }),
    example: { grant_type: 'client_credentials', scope: 'vouchers redemptions' },
    answers: { 200: 'IssuedToken' },
  })
  issue(@Ctx() context: RequestContext, @Body() form: Form): Promise<IssuedToken | object> {
    return this.tokens.issue(context, form ?? {});
  }

  @Post('introspect')
  @Operation({
    id: 'introspectAccessToken',
    summary: 'Tells whether an access token is active',
    body: tokenForm,
    answers: { 200: 'IntrospectedToken' },
  })
  introspect(@Ctx() context: RequestContext, @Body() form: Form): Promise<object> {
    return this.tokens.introspect(context, form ?? {});
  }

  /** 204, or 404 without a body: the contract says so. */
  @Post('token/revoke')
  @Operation({
    id: 'revokeAccessToken',
    summary: 'Ends an access token',
    description: '404 without a body: there is no such active token.',
    body: tokenForm,
    answers: { 204: null, 404: null },
  })
  async revoke(
    @Ctx() context: RequestContext,
    @Body() form: Form,
    @Res({ passthrough: true }) reply: StatusReply,
  ): Promise<void> {
    reply.code((await this.tokens.revoke(context, form ?? {})) ? 204 : 404);
  }
}
