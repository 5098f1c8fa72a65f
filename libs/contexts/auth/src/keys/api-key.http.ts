import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ContextOf, Ctx, listOf, Operation, Refusals } from '@scrip/edge';
import { isRefused, type RequestContext } from '@scrip/kernel';
import { type ManagementRefusal, managementRefusals } from '../auth.refusals';
import { ApiKeyChangeBody, NewApiKeyBody, refusalOfIntegration, refusalOfKey } from './api-key.dto';
import { ApiKeyHandlers, type ShownApiKey } from './api-key.handlers';
import { type ApiKeyResponse, type ApiKeyWithSecretResponse, renderApiKey } from './api-key.wire';

const shown = (answer: ShownApiKey | ManagementRefusal): ApiKeyWithSecretResponse | ManagementRefusal =>
  isRefused(answer) ? answer : { ...renderApiKey(answer.key), secret: answer.secret.reveal() };

/** Management of the application keys of a project. Source: reference 07 §14. */
@Controller('management/v1/projects/:projectId/keys')
@ContextOf('auth')
@Refusals(managementRefusals)
export class ApiKeyHttp {
  constructor(private readonly keys: ApiKeyHandlers) {}

  @Get()
  @Operation({
    id: 'listKeys',
    refuses: [],
    summary: 'Lists the keys of a project',
    description: 'Oldest first, blocked ones too, without their secrets.',
    answers: { 200: { list: 'data', of: 'ApiKeyResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext) {
    const keys = await this.keys.list(context);
    return listOf('data', keys.map(renderApiKey), { total: keys.length });
  }

  @Post()
  @Operation({
    id: 'issueKey',
    refuses: ['invalid_payload', 'used_incorrect_role'],
    summary: 'Issues a key of a project',
    description:
      'Its secret is shown here only. Without a role it is ADMIN. `integration` makes a server key one of an integration, for good.',
    links: {
      getKey: { keyId: '/id' },
      updateKey: { keyId: '/id' },
      rotateKey: { keyId: '/id' },
      deleteKey: { keyId: '/id' },
    },
    example: { name: 'Till 7', kind: 'server', role: 'MERCHANT', allowed_ips: ['192.0.2.0/24', '127.0.0.1'] },
    answers: { 200: 'ApiKeyWithSecretResponse' },
  })
  async issue(
    @Ctx() context: RequestContext,
    @Body() body: NewApiKeyBody,
  ): Promise<ApiKeyWithSecretResponse | ManagementRefusal> {
    const { name, kind, role, allowed_ips, integration } = body;
    const refusal = refusalOfKey(body) ?? refusalOfIntegration(body);
    if (refusal) return refusal;
    const wanted = {
      name,
      kind,
      role: role ?? 'ADMIN',
      integration: integration ?? false,
      allowed_ips: allowed_ips ?? [],
    };
    return shown(await this.keys.issue(context, wanted));
  }

  @Get(':keyId')
  @Operation({
    id: 'getKey',
    refuses: [],
    summary: 'Shows a key',
    answers: { 200: 'ApiKeyResponse' },
  })
  async get(
    @Ctx() context: RequestContext,
    @Param('keyId') id: string,
  ): Promise<ApiKeyResponse | ManagementRefusal> {
    const key = await this.keys.find(context, id);
    return isRefused(key) ? key : renderApiKey(key);
  }

  @Put(':keyId')
  @Operation({
    id: 'updateKey',
    refuses: ['invalid_payload', 'used_incorrect_role'],
    summary: 'Changes, blocks or admits a key',
    description:
      '`active` false blocks it: the key and its access tokens end at once. Every request that starts after the answer finds the change.',
    example: { role: 'VIEWER', active: false },
    answers: { 200: 'ApiKeyResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('keyId') id: string,
    @Body() body: ApiKeyChangeBody,
  ): Promise<ApiKeyResponse | ManagementRefusal> {
    const { name, role, active, allowed_ips } = body;
    const refusal = refusalOfKey(body);
    if (refusal) return refusal;
    const key = await this.keys.change(context, id, {
      ...(name == null ? {} : { name }),
      ...(role == null ? {} : { role }),
      ...(active == null ? {} : { blocked: !active }),
      ...(allowed_ips == null ? {} : { allowed_ips }),
    });
    return isRefused(key) ? key : renderApiKey(key);
  }

  @Post(':keyId/rotate')
  @Operation({
    id: 'rotateKey',
    refuses: [],
    summary: 'Gives a key another secret',
    description: 'The id stays, the old secret ends, access tokens stay. The secret is shown here only.',
    answers: { 200: 'ApiKeyWithSecretResponse' },
  })
  async rotate(
    @Ctx() context: RequestContext,
    @Param('keyId') id: string,
  ): Promise<ApiKeyWithSecretResponse | ManagementRefusal> {
    return shown(await this.keys.rotate(context, id));
  }

  @Delete(':keyId')
  @HttpCode(204)
  @Operation({
    id: 'deleteKey',
    refuses: ['resource_protected'],
    summary: 'Deletes a key for good',
    description: 'The key and its access tokens end at once.',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('keyId') id: string,
  ): Promise<ManagementRefusal | undefined> {
    return (await this.keys.delete(context, id)) ?? undefined;
  }
}
