import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { definePort, Fault, type Refusal, refuse } from '@scrip/kernel';
import { type CallOutcome, type PortMetrics } from './port-metrics';
import { InjectPort, servePort } from './port-tokens';
import { PortsModule, type PortsOptions } from './ports.module';

interface Context {
  deadlineAt: number;
  requestId: string;
}
interface PingPort {
  ping(context: Context, request: { text: string }): Promise<{ text: string; requestId: string } | Refusal>;
  wait(context: Context, request: object): Promise<null>;
  echoPong(context: Context, request: { text: string }): Promise<{ text: string }>;
  leakDate(context: Context, request: object): Promise<unknown>;
}
interface PongPort {
  pong(context: Context, request: { text: string }): Promise<{ text: string }>;
}
interface AbsentPort {
  ask(context: Context, request: object): Promise<null>;
}

const pingPort = definePort<PingPort>('ping', ['ping', 'wait', 'echoPong', 'leakDate']);
const pongPort = definePort<PongPort>('pong', ['pong']);
const absentPort = definePort<AbsentPort>('absent', ['ask']);

const soon = (): Context => ({ deadlineAt: Date.now() + 5_000, requestId: 'v-1' });
const never: Context = { deadlineAt: Number.POSITIVE_INFINITY, requestId: 'v-2' };

let release: () => void = () => undefined;
const started: string[] = [];

@Injectable()
class PingHandlers implements PingPort {
  constructor(@InjectPort(pongPort) private readonly pongs: PongPort) {}

  async ping(context: Context, request: { text: string }) {
    if (request.text === 'away' || request.text === 'broken') throw new Error(request.text);
    return request.text === 'no'
      ? refuse('not_allowed')
      : { text: request.text, requestId: context.requestId };
  }
  wait(context: Context): Promise<null> {
    started.push(context.requestId);
    return new Promise((resolve) => (release = () => resolve(null)));
  }
  echoPong(context: Context, request: { text: string }) {
    return this.pongs.pong(context, request);
  }
  async leakDate() {
    return { at: new Date(0) };
  }
}

@Injectable()
class PongHandlers implements PongPort {
  constructor(@InjectPort(pingPort) readonly pings: PingPort) {}

  async pong(_context: Context, request: { text: string }) {
    return { text: `pong ${request.text}` };
  }
}

@Injectable()
class Caller {
  constructor(
    @InjectPort(pingPort) readonly pings: PingPort,
    @InjectPort(absentPort) readonly absent: AbsentPort,
  ) {}
}

@Module({ providers: [servePort(pingPort, PingHandlers)] })
class PingModule {}
@Module({ providers: [servePort(pongPort, PongHandlers)] })
class PongModule {}
@Module({ providers: [Caller] })
class CallerModule {}

const boot = async (options: PortsOptions = {}): Promise<Caller> => {
  const app = await Test.createTestingModule({
    imports: [PortsModule.inProcess(options), CallerModule, PingModule, PongModule],
  }).compile();
  return app.get(Caller);
};

const recorded = (): PortMetrics & { outcomes: CallOutcome[]; most: number } => {
  const seen = { outcomes: [] as CallOutcome[], most: 0 };
  return Object.assign(seen, {
    called: ({ outcome }: { outcome: CallOutcome }) => void seen.outcomes.push(outcome),
    inFlight: (_port: string, calls: number) => void (seen.most = Math.max(seen.most, calls)),
  });
};

const faultOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: unknown) => (error instanceof Fault ? error.kind : String(error)),
  );

beforeEach(() => {
  started.length = 0;
});

describe('ports in one process', () => {
  it("carry the caller's context and bring the answer back", async () => {
    const { pings } = await boot();
    expect(await pings.ping(soon(), { text: 'hello' })).toEqual({ text: 'hello', requestId: 'v-1' });
  });

  it('pass refusals through as values', async () => {
    const metrics = recorded();
    const { pings } = await boot({ metrics });
    expect(await pings.ping(soon(), { text: 'no' })).toEqual({ refused: 'not_allowed' });
    expect(metrics.outcomes).toEqual(['refused']);
  });

  it('tell what an error of an owner means, as a network does, and leave others as they are', async () => {
    const metrics = recorded();
    const away = (error: unknown) =>
      (error as Error).message === 'away' ? new Fault('unavailable', 'it is away') : undefined;
    const { pings } = await boot({ metrics, faultOf: away });
    expect(await faultOf(pings.ping(soon(), { text: 'away' }))).toBe('unavailable');
    expect(await faultOf(pings.ping(soon(), { text: 'broken' }))).toBe('Error: broken');
    expect(metrics.outcomes).toEqual(['unavailable', 'failed']);
  });

  it('let contexts depend on each other', async () => {
    const { pings } = await boot();
    expect(await pings.echoPong(soon(), { text: 'x' })).toEqual({ text: 'pong x' });
  });

  it('answer unavailable where nobody serves the port', async () => {
    const { absent } = await boot();
    expect(await faultOf(absent.ask(soon(), {}))).toBe('unavailable');
  });

  it('do not start a call whose deadline has passed', async () => {
    const { pings } = await boot();
    expect(await faultOf(pings.wait({ deadlineAt: Date.now(), requestId: 'late' }, {}))).toBe('deadline');
    expect(started).toEqual([]);
  });

  it('reject the caller when the deadline passes, though the owner still works', async () => {
    const { pings } = await boot();
    expect(await faultOf(pings.wait({ deadlineAt: Date.now() + 20, requestId: 'slow' }, {}))).toBe(
      'deadline',
    );
    expect(started).toEqual(['slow']);
    release();
  });

  it('wait without end where the context has no deadline', async () => {
    const { pings } = await boot();
    const answer = pings.wait(never, {});
    await new Promise(setImmediate);
    release();
    expect(await answer).toBeNull();
  });

  it('serve as many calls at once as allowed, and refuse one more', async () => {
    const metrics = recorded();
    const { pings } = await boot({ maxInFlight: 1, metrics });
    const first = pings.wait(never, {});
    await new Promise(setImmediate);
    expect(await faultOf(pings.ping(soon(), { text: 'x' }))).toBe('overloaded');
    release();
    await first;
    expect(await faultOf(pings.ping(soon(), { text: 'x' }))).toBe('none');
    expect(metrics.most).toBe(1);
    expect(metrics.outcomes).toEqual(['overloaded', 'answered', 'answered']);
  });

  it('find payloads that a network would change', async () => {
    const { pings } = await boot();
    await expect(pings.leakDate(soon(), {})).rejects.toThrow('ping.leakDate answer.at is a Date');
    await expect(pings.ping(soon(), { text: 1n as unknown as string })).rejects.toThrow(
      'ping.ping request.text is a bigint',
    );
  });

  it('leave payloads alone outside of tests', async () => {
    const { pings } = await boot({ checkJson: false });
    expect(await pings.leakDate(soon(), {})).toEqual({ at: new Date(0) });
  });
});
