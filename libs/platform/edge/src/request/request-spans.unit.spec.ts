import { Controller, Get } from '@nestjs/common';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { Fault, type RequestContext, recordTraces } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { open, servedBy, server } from '@scrip/contracts/registry';
import {
  type Arrangement,
  arrangements,
  edgeApplication,
  type EdgeApplication,
  testKeys,
} from '../testing/edge-application';
import { Ctx } from './request-decorators';

const theirs = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

@Controller()
class Things {
  @Get('v1/things')
  list(@Ctx() { traceparent }: RequestContext): object {
    return { traceparent };
  }

  @Get('v1/failures')
  fail(): never {
    throw new Fault('unavailable', 'away');
  }

  @Get('healthz')
  health(): string {
    return 'ok';
  }
}

const routes = [
  ...servedBy('campaigns', [server('GET /v1/things', 'vouchers'), server('GET /v1/failures', 'vouchers')]),
  open('GET /healthz'),
];

const spansOf: Record<Arrangement, string[]> = {
  'one process': ['GET /v1/things'],
  'gateway and service': ['GET /v1/things', 'gateway campaigns', 'GET /v1/things'],
};

describe.each(arrangements)('the trace of a request: %s', (arrangement) => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  let edge: EdgeApplication;

  beforeAll(async () => {
    edge = await edgeApplication({ controllers: [Things] }, { routes }, arrangement);
    recordTraces(provider.getTracer('test'));
  });
  afterAll(async () => {
    recordTraces(null);
    await edge.app.close();
  });
  beforeEach(() => exporter.reset());

  const get = (url: string, headers: Record<string, string> = testKeys.server) =>
    edge.app.getHttpAdapter().getInstance().inject({ method: 'GET', url, headers });

  /** From the outermost to the innermost one. */
  const spans = async (count: number) => {
    await waitUntil(() => exporter.getFinishedSpans().length === count, { what: `${count} spans` });
    const byParent = new Map(
      exporter.getFinishedSpans().map((span) => [span.parentSpanContext?.spanId, span]),
    );
    const chain = [byParent.get('b7ad6b7169203331')];
    while (chain.length < count) chain.push(byParent.get(chain.at(-1)?.spanContext().spanId));
    return chain;
  };

  it('goes from the caller through every process to the handler', async () => {
    const answer = await get('/v1/things', { ...testKeys.server, traceparent: theirs });
    const names = spansOf[arrangement];
    const chain = await spans(names.length);
    expect(chain.map((span) => span?.name)).toEqual(names);
    const { traceId, spanId } = chain.at(-1)!.spanContext();
    expect(answer.json()).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
    expect(traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  });

  it('tells which request failed', async () => {
    const answer = await get('/v1/failures', { ...testKeys.server, traceparent: theirs });
    const [first] = await spans(spansOf[arrangement].length);
    expect(answer.statusCode).toBe(503);
    expect(first?.status.code).toBe(2);
    const { request_id } = answer.json<{ request_id: string }>();
    for (const span of exporter.getFinishedSpans().filter(({ name }) => name.startsWith('GET')))
      expect(span.attributes).toEqual({ 'scrip.request_id': request_id });
  });

  it('has a span for callers who are not let in too', async () => {
    expect((await get('/v1/things', { traceparent: theirs })).statusCode).toBe(401);
    const [only] = await spans(1);
    expect([only?.name, only?.status.code]).toEqual(['GET /v1/things', 0]);
  });
});

describe('what each process serves itself', () => {
  it('is in no trace', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
    const { app } = await edgeApplication({ controllers: [Things] }, { routes });
    recordTraces(provider.getTracer('test'));
    const answer = await app.getHttpAdapter().getInstance().inject({ method: 'GET', url: '/healthz' });
    recordTraces(null);
    await app.close();
    expect([answer.body, exporter.getFinishedSpans()]).toEqual(['ok', []]);
  });
});
