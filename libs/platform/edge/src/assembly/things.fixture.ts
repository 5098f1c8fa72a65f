import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { Fault, refuse } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import type { InjectOptions } from 'fastify';
import { Refusals } from '../failure/refusals';
import { listOf } from '../lists/list-of';
import { pageQuery } from '../lists/page-query';
import { Ctx } from '../request/request-decorators';
import { bulk, client, management, oauth, ofFeature, open, server } from '@scrip/contracts/registry';
import { type Arrangement, edgeApplication, testKeys } from '../testing/edge-application';
import { fakeAuth, testPrincipal } from '../testing/fake-auth';
import {
  IsAmount,
  IsDateInput,
  IsInteger,
  IsMetadata,
  IsOneOf,
  IsText,
  NestedList,
} from '../validation/rules';

class Item {
  @IsText({ max: 20 })
  sku: string;

  @IsOptional()
  @IsInteger({ min: 1 })
  quantity?: number;
}

class Thing {
  @IsText()
  name: string;

  @IsOptional()
  @IsOneOf(['a', 'b'])
  kind?: string;

  @IsOptional()
  @IsAmount()
  amount?: number;

  @IsOptional()
  @IsDateInput()
  start_date?: string;

  @IsOptional()
  @IsMetadata()
  metadata?: object;

  @IsOptional()
  @NestedList(() => Item, { max: 3 })
  items?: Item[];
}

class ThingQuery extends pageQuery({ highestPage: 99, orders: ['created_at'], order: 'created_at' }) {}

@Controller(['v1/things', 'client/v1/things'])
@Refusals({ thing_taken: { status: 409, message: 'Thing taken' } })
class Things {
  @Post()
  create(@Body() body: Thing): unknown {
    if (body.name === 'taken')
      return refuse('thing_taken', 'Somebody has it', {
        resourceId: 't_1',
        resourceType: 'thing',
        redeemable_id: 'R',
      });
    if (body.name === 'unheard') return refuse('unheard_of');
    if (body.name === 'crash') throw new Error('the password is 1234');
    if (body.name === 'late') throw new Fault('deadline', 'too late');
    return body;
  }

  @Get()
  list(@Query() query: ThingQuery, @Ctx() context: RequestContext): unknown {
    return {
      ...listOf('things', [], { total: 0 }),
      query,
      channel: context.channel,
      version: context.project.apiVersion,
      only_identify: context.inlineCustomersOnlyIdentify ?? false,
    };
  }

  @Get(':id/make')
  make(): unknown {
    return { made: true };
  }

  @Get(':id')
  one(@Param('id') id: string): unknown {
    return { id };
  }

  @Delete(':id')
  @HttpCode(204)
  remove(): void {}
}

@Controller('v1/things/import')
class Imports {
  @Post()
  import(@Body() body: unknown): unknown {
    return { count: (body as unknown[]).length };
  }
}

@Controller('v1/oauth/token')
class Tokens {
  @Post()
  issue(@Body() form: Record<string, string>): unknown {
    return form;
  }
}

@Controller('v1/things/:id/brand')
class Brands {
  @Put()
  change(): unknown {
    return {};
  }
}

@Controller('management/v1/projects/:projectId/things')
class ManagedThings {
  @Get()
  list(): unknown {
    return {};
  }

  @Put(':id')
  change(@Ctx() context: RequestContext): unknown {
    return { project: context.project.id };
  }
}

@Controller('healthz')
class Health {
  @Get()
  ok(): string {
    return 'ok';
  }
}

const routes = [
  server('POST /v1/things', 'vouchers'),
  bulk('POST /v1/things/import', 'vouchers'),
  server('GET /v1/things', 'vouchers'),
  server('GET /v1/things/{id}', 'vouchers'),
  server('DELETE /v1/things/{id}', 'vouchers'),
  server('GET /v1/things/{id}/make', 'vouchers', { permission: 'write', integrationKeysOnly: true }),
  client('POST /client/v1/things', 'client_redeem', {
    clientSwitch: 'client_redeem_enabled',
    permission: 'redeem',
  }),
  client('GET /client/v1/things', 'client_vouchers'),
  client('GET /client/v1/things/{id}', 'client_vouchers'),
  client('DELETE /client/v1/things/{id}', 'client_vouchers'),
  client('GET /client/v1/things/{id}/make', 'client_vouchers', { permission: 'validate' }),
  oauth('POST /v1/oauth/token'),
  ...ofFeature('branding', [
    server('PUT /v1/things/{id}/brand', 'vouchers'),
    management('GET /management/v1/projects/{projectId}/things'),
  ]),
  management('PUT /management/v1/projects/{projectId}/things/{id}'),
  open('GET /healthz'),
];

const auth = fakeAuth({
  'server:app:secret': testPrincipal(),
  'server:integration:secret': testPrincipal({ integration: true }),
  'server:viewer:secret': testPrincipal({ role: 'VIEWER' }),
  'client:web:secret': testPrincipal({ kind: 'client' }),
  'client:off:secret': testPrincipal({ kind: 'client', client_switches: null }),
  'management:boss:secret': testPrincipal({ kind: 'management', project: null }),
  'token:wide': testPrincipal({ kind: 'token', scopes: ['api'] }),
  'token:narrow': testPrincipal({ kind: 'token', scopes: ['campaigns'] }),
  'token:browser': testPrincipal({ kind: 'token', scopes: ['client_api'] }),
});

/** Routes of every area, behind the edge. */
export interface ThingsFixture {
  call(options: InjectOptions): Promise<{ status: number; headers: Record<string, unknown>; body: unknown }>;
  /** POST /v1/things with the server keys, or other headers; a text goes out as it is. */
  post(payload: unknown, headers?: Record<string, string>): ReturnType<ThingsFixture['call']>;
  close(): Promise<void>;
}

export const bootThings = async (arrangement: Arrangement): Promise<ThingsFixture> => {
  const { app, edge } = await edgeApplication(
    { controllers: [Brands, Imports, Things, Tokens, ManagedThings, Health] },
    {
      auth,
      routes,
      featuresOff: ['branding'],
      rateLimits: { clientCalls: [{ value: 1_000, durationS: 5 }] },
    },
    arrangement,
  );
  edge.assertRoutesComplete();
  const call: ThingsFixture['call'] = async (options) => {
    const { statusCode, headers, body } = await app.getHttpAdapter().getInstance().inject(options);
    const isJson = String(headers['content-type']).includes('json');
    return {
      status: statusCode,
      headers,
      body: isJson && body !== '' ? (JSON.parse(body) as unknown) : body,
    };
  };
  return {
    call,
    post: (payload, headers = testKeys.server) =>
      call({
        method: 'POST',
        url: '/v1/things',
        headers: { 'content-type': 'application/json', ...headers },
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      }),
    close: () => app.close(),
  };
};
