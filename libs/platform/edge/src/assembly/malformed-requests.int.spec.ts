import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IsOptional } from 'class-validator';
import { rounds } from '@scrip/testing';
import fc from 'fast-check';
import { ContextOf } from '../nest/context-of';
import { pageQuery } from '../lists/page-query';
import { server } from '@scrip/contracts/registry';
import { arrangements, edgeApplication, testKeys } from '../testing/edge-application';
import { malformedRequest } from '../testing/malformed-requests';
import { IsAmount, IsDateInput, IsMetadata, IsText, NestedList } from '../validation/rules';

class Item {
  @IsText() sku: string;
  @IsOptional() @IsAmount() price?: number;
}

class Order {
  @IsText() name: string;
  @IsOptional() @IsDateInput() date?: string;
  @IsOptional() @IsMetadata() metadata?: object;
  @NestedList(() => Item, { min: 1, max: 5 }) items: Item[];
}

class OrderQuery extends pageQuery({ highestPage: 99, orders: ['created_at'], order: 'created_at' }) {}

@Controller('v1/orders')
@ContextOf('customers')
class Orders {
  @Post(':id')
  create(@Body() body: Order): unknown {
    return JSON.parse(JSON.stringify(body)) as unknown;
  }

  @Get(':id')
  list(@Query() query: OrderQuery, @Param('id') id: string): unknown {
    return { query, id };
  }
}

const rows = [server('POST /v1/orders/{id}', 'orders'), server('GET /v1/orders/{id}', 'orders')] as const;
const sample = {
  name: 'n',
  date: '2026-03-31',
  metadata: { a: { b: [1] } },
  items: [{ sku: 's', price: 100 }],
};

describe.each(arrangements)('malformed requests: %s', (arrangement) => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    ({ app } = await edgeApplication({ controllers: [Orders] }, { routes: rows }, arrangement));
  });
  afterAll(() => app.close());

  it('are never answered with 5xx, always in the error shape', async () => {
    const request = fc.oneof(
      ...rows.map((row) =>
        malformedRequest(row, { headers: testKeys.server, parameters: { id: 'o_1' }, sample }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(request, async ({ method, target, headers, body }) => {
        const fastify = app.getHttpAdapter().getInstance();
        const answer = await fastify.inject({
          method,
          url: target,
          headers,
          ...(body === undefined ? {} : { payload: body }),
        });
        expect(answer.statusCode).toBeLessThan(500);
        if (answer.statusCode >= 400) {
          expect(JSON.parse(answer.body)).toMatchObject({
            code: answer.statusCode,
            message: expect.any(String) as string,
          });
        }
      }),
      { numRuns: rounds(5_000) },
    );
  }, 600_000);
});
