import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { beginSpan, recordTraces, traced } from './tracing';

const theirs = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('a trace that nobody records', () => {
  it('travels on unchanged', async () => {
    const context = { traceparent: theirs, requestId: 'v-1' };
    expect(await traced({ name: 'claim' }, context, async (given) => given)).toBe(context);
    expect(beginSpan({ name: 'claim' }, theirs).traceparent).toBe(theirs);
  });

  it('is not begun', () => {
    expect(beginSpan({ name: 'claim' }, null).traceparent).toBeNull();
  });
});

describe('a recorded trace', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });

  beforeEach(() => {
    exporter.reset();
    recordTraces(provider.getTracer('test'));
  });
  afterAll(() => {
    recordTraces(null);
  });

  it('links each step to the one that caused it', async () => {
    const seen = await traced({ name: 'outer', kind: 'SERVER' }, { traceparent: theirs }, (outer) =>
      traced({ name: 'inner' }, outer, async (inner) => ({
        outer: outer.traceparent,
        inner: inner.traceparent,
      })),
    );
    const [inner, outer] = exporter.getFinishedSpans();
    expect([outer?.name, inner?.name]).toEqual(['outer', 'inner']);
    expect(outer?.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId);
    expect(seen.outer).toBe(`00-0af7651916cd43dd8448eb211c80319c-${outer?.spanContext().spanId}-01`);
    expect(seen.inner).toBe(`00-0af7651916cd43dd8448eb211c80319c-${inner?.spanContext().spanId}-01`);
  });

  it('begins where the caller has none, or none that can be read', () => {
    for (const traceparent of [null, 'zz', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`]) {
      const step = beginSpan({ name: 'claim' }, traceparent);
      step.end();
      expect(step.traceparent).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
    }
    expect(exporter.getFinishedSpans().every(({ parentSpanContext }) => !parentSpanContext)).toBe(true);
  });

  it('is not begun by work that nobody asked for', async () => {
    await traced({ name: 'look' }, { traceparent: null }, async ({ traceparent }) => {
      expect(traceparent).toBeNull();
    });
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  it('tells that a step failed, and not what the error said', async () => {
    const failing = traced({ name: 'claim' }, { traceparent: theirs }, async () => {
      throw new TypeError('ann@example.com is unknown');
    });
    await expect(failing).rejects.toThrow('ann@example.com');
    expect(exporter.getFinishedSpans()[0]?.status).toEqual({ code: 2, message: 'TypeError' });
  });
});
