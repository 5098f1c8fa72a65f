import { Body, Controller, Post, Res } from '@nestjs/common';
import { ContextOf, Ctx, type JsonSchema, Operation, Refusals } from '@scrip/edge';
import type { RequestContext } from '@scrip/kernel';
import { authRefusals } from '../auth.refusals';
import { TokenHandlers } from './token.handlers';
import type { IssuedToken } from './token.wire';

type Form = Readonly<Record<string, string | undefined>> | undefined;

const formOf = (title: string, fields: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  title,
  type: 'object',
  properties: fields,
  required: Object.keys(fields),
});

const tokenForm = formOf('AccessTokenForm', { access_token: { type: 'string', minLength: 1 } });

interface StatusReply {
  code(status: number): unknown;
}

/** The token endpoints: forms in, JSON out. Source: reference 07 §2.1. */
@Controller('v1/oauth')
@ContextOf('auth')
@Refusals(authRefusals)
export class TokenHttp {
  constructor(private readonly tokens: TokenHandlers) {}

  @Post('token')
  @Operation({
    id: 'issueAccessToken',
    links: { introspectAccessToken: {}, revokeAccessToken: {} },
    summary: 'Issues an access token',
    description: 'It ends by itself after 900 seconds.',
    body: formOf('TokenRequestForm', {
      grant_type: { type: 'string', enum: ['client_credentials'] },
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
    refuses: ['missing_parameters'],
    summary: 'Tells whether an access token is active',
    body: tokenForm,
    example: { access_token: 'eu1-0123456789abcdef' },
    answers: { 200: 'IntrospectedToken' },
  })
  introspect(@Ctx() context: RequestContext, @Body() form: Form): Promise<object> {
    return this.tokens.introspect(context, form ?? {});
  }

  /** Answers 204, or 404 without a body. */
  @Post('token/revoke')
  @Operation({
    id: 'revokeAccessToken',
    refuses: ['missing_parameters'],
    summary: 'Ends an access token',
    description: '404 without a body: there is no such active token.',
    body: tokenForm,
    example: { access_token: 'eu1-0123456789abcdef' },
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
