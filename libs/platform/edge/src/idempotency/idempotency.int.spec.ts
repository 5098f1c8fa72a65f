import { Body, Controller, Module, Post } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type IdSource, newRequestId, refuse } from '@scrip/kernel';
import { createDatabase } from '@scrip/testing';
import type { DataSource } from 'typeorm';
import { Refusals } from '../failure/refusals';
import { ContextOf } from '../nest/context-of';
import { Ids, KeyRow } from '../request/request-decorators';
import { client, server } from '@scrip/contracts/registry';
import { arrangements, edgeApplication, testKeys } from '../testing/edge-application';
import { fakeAuth, testPrincipal } from '../testing/fake-auth';
import { IsText } from '../validation/rules';
import { idempotencyMigrations } from '../migrations';
import type { IdempotencyRow } from './idempotency-row';

class Effect {
  @IsText()
  name: string;
}

/** What the handler does after its effect; set by each test. */
let behaviour: (row: IdempotencyRow | null) => Promise<void> | void;
let database: DataSource;
let othersAreAtWork: () => Promise<boolean> | boolean = () => false;

@Controller(['v1/effects', 'client/v1/effects'])
@ContextOf('campaigns')
@Refusals({ effect_refused: { status: 400, message: 'Refused' } })
class Effects {
  @Post()
  async create(
    @Body() { name }: Effect,
    @Ids() ids: IdSource,
    @KeyRow() row: IdempotencyRow | null,
  ): Promise<object> {
    if (name === 'refused') return refuse('effect_refused', 'No');
    if (name === 'busy' && (await othersAreAtWork())) return refuse('multiple_requests', 'In use');
    const id = ids.next('eff_', 'effect');
    await database.query('INSERT INTO effects (id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING', [id, name]);
    await behaviour(row);
    return { id };
  }

  @Post('secret')
  rotate(): object {
    return { secret: newRequestId() };
  }

  /** A command that ends its key row together with its effect, as redeeming does. */
  @Post('own')
  async own(@KeyRow() row: IdempotencyRow | null): Promise<object> {
    if (!row) return { keyed: false };
    const answer = {
      status: 200,
      body: { id: row.ids().next('eff_', 'own'), attempt: row.attempt, resumed: row.resumed },
    };
    await behaviour(row);
    const written = await database.transaction(async (manager) => {
      const mine = await row.completeInTransaction(manager, answer);
      if (mine)
        await manager.query('INSERT INTO effects (id, name) VALUES ($1, $2)', [answer.body.id, 'own']);
      return mine;
    });
    if (!written) return refuse('idempotency_key_in_use', 'Another execution has answered');
    return answer.body;
  }
}

@Module({})
class Database {}

const gate = () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
};

describe.each(arrangements)('keyed commands: %s', (arrangement) => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    const url = await createDatabase('edge');
    const module = TypeOrmModule.forRoot({
      name: 'campaigns',
      type: 'postgres',
      url,
      migrations: idempotencyMigrations,
      migrationsRun: true,
    });
    const { app: reached, handlers } = await edgeApplication(
      { controllers: [Effects], imports: [{ module: Database, imports: [module] } as never] },
      {
        auth: fakeAuth({
          'server:app:secret': testPrincipal(),
          'server:small:secret': testPrincipal({ key: { id: 'eu1-small', name: 'Small' } }),
          'client:web:secret': testPrincipal({ kind: 'client' }),
        }),
        routes: [
          client('POST /client/v1/effects', 'client_redeem'),
          client('POST /client/v1/effects/secret', 'client_redeem', { secret: true }),
          client('POST /client/v1/effects/own', 'client_redeem'),
          server('POST /v1/effects', 'vouchers'),
          server('POST /v1/effects/secret', 'vouchers', { secret: true }),
          server('POST /v1/effects/own', 'vouchers'),
        ],
      },
      arrangement,
    );
    app = reached;
    database = handlers.get<DataSource>(getDataSourceToken('campaigns'), { strict: false });
    await database.query('CREATE TABLE effects (id text PRIMARY KEY, name text NOT NULL)');
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    behaviour = () => undefined;
    await database.query('TRUNCATE effects, idempotency_keys');
  });

  const send = async (
    key: string | null,
    body: object = { name: 'a' },
    path = '/v1/effects',
    credentials: Record<string, string> = testKeys.server,
  ) => {
    const answer = await app
      .getHttpAdapter()
      .getInstance()
      .inject({
        method: 'POST',
        url: path,
        headers: {
          ...credentials,
          'content-type': 'application/json',
          ...(key === null ? {} : { 'idempotency-key': key }),
        },
        payload: JSON.stringify(body),
      });
    return {
      status: answer.statusCode,
      body: JSON.parse(answer.body) as Record<string, unknown>,
      headers: answer.headers,
    };
  };
  const effects = async () =>
    (await database.query<{ count: number }[]>('SELECT count(*)::int AS count FROM effects'))[0]?.count;
  const endLeases = () => database.query('UPDATE idempotency_keys SET lease_until = now()');

  it('run once, and answer the same again', async () => {
    const first = await send('k1');
    expect(first.status).toBe(200);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const second = await send('k1');
    expect(second).toMatchObject({
      status: 200,
      body: first.body,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(await effects()).toBe(1);
  });

  it("are nobody else's: each API key and each channel has keys of its own", async () => {
    const callers = [
      ['/v1/effects', testKeys.server],
      ['/v1/effects', { 'x-app-id': 'small', 'x-app-token': 'secret' }],
      ['/client/v1/effects', testKeys.client],
    ] as const;
    for (const [path, headers] of callers) {
      const { status, headers: answered } = await send('k1', { name: path }, path, headers);
      expect(status).toBe(200);
      expect(answered).not.toHaveProperty('idempotent-replayed');
    }
    expect(await effects()).toBe(3);
  });

  it('run each time without a key, and for each key', async () => {
    await Promise.all([send(null), send(null), send('k1'), send('k2')]);
    expect(await effects()).toBe(4);
  });

  it('with another body under the same key are refused', async () => {
    await send('k1');
    expect(await send('k1', { name: 'b' })).toMatchObject({
      status: 422,
      body: { code: 422, key: 'idempotency_key_reused' },
    });
    expect(await effects()).toBe(1);
  });

  it('two at once have one effect, and the second is told to wait', async () => {
    const { opened, open } = gate();
    const reached = gate();
    behaviour = () => {
      reached.open();
      return opened;
    };
    const first = send('k1');
    await reached.opened;
    expect(await send('k1')).toMatchObject({ status: 409, body: { key: 'idempotency_key_in_use' } });
    open();
    expect((await first).status).toBe(200);
    expect(await effects()).toBe(1);
  });

  it('50 at once have one effect', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => send('k1')));
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThanOrEqual(1);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(new Set(done.map(({ body }) => body.id)).size).toBe(1);
    expect(await effects()).toBe(1);
  });

  it('killed between effect and stored answer get the same id again, and one effect', async () => {
    const never = gate();
    const reached = gate();
    let id = '';
    behaviour = async () => {
      id = (await database.query<{ id: string }[]>('SELECT id FROM effects'))[0]?.id ?? '';
      reached.open();
      await never.opened;
    };
    const killed = send('k1');
    await reached.opened;
    expect((await send('k1')).status).toBe(409);
    await endLeases();
    behaviour = () => undefined;
    expect(await send('k1')).toMatchObject({ status: 200, body: { id } });
    expect(await effects()).toBe(1);
    // The first one was only asleep: it finds the answer that stands and gives it too.
    never.open();
    expect(await killed).toMatchObject({ status: 200, body: { id } });
  });

  it('that fail as the server fails run again under the same ids', async () => {
    behaviour = () => {
      throw new Error('the disk is full');
    };
    expect((await send('k1')).status).toBe(500);
    behaviour = () => undefined;
    expect((await send('k1')).status).toBe(200);
    expect(await effects()).toBe(1);
  });

  it('that are refused stay refused', async () => {
    const first = await send('k1', { name: 'refused' });
    expect(first).toMatchObject({ status: 400, body: { key: 'effect_refused', details: 'No' } });
    expect((await send('k1', { name: 'refused' })).body).toEqual(first.body);
    const invalid = await send('k2', {});
    expect(invalid).toMatchObject({ status: 400, body: { key: 'invalid_payload' } });
    expect((await send('k2', {})).body).toEqual(invalid.body);
  });

  it('that are refused because others are at work run again', async () => {
    othersAreAtWork = () => true;
    expect(await send('k1', { name: 'busy' })).toMatchObject({
      status: 400,
      body: { key: 'multiple_requests' },
    });
    othersAreAtWork = () => false;
    const again = await send('k1', { name: 'busy' });
    expect(again).toMatchObject({ status: 200 });
    expect(again.headers).not.toHaveProperty('idempotent-replayed');
    expect((await send('k1', { name: 'busy' })).body).toEqual(again.body);
    expect(await effects()).toBe(1);
  });

  it('that answer a secret ignore the key', async () => {
    const [first, second] = [
      await send('k1', {}, '/v1/effects/secret'),
      await send('k1', {}, '/v1/effects/secret'),
    ];
    expect(first.body.secret).not.toBe(second.body.secret);
    expect(await database.query('SELECT * FROM idempotency_keys')).toEqual([]);
  });

  it('may use a key again after 24 hours', async () => {
    const first = await send('k1');
    await database.query(
      `UPDATE idempotency_keys SET created_at = now() - interval '24 h', lease_until = now()`,
    );
    const second = await send('k1', { name: 'b' });
    expect(second.status).toBe(200);
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('refuse a key that is too long or empty', async () => {
    expect((await send('x'.repeat(255))).status).toBe(200);
    expect((await send('x'.repeat(256))).status).toBe(400);
    expect((await send('')).status).toBe(400);
  });

  describe('that complete their row themselves', () => {
    const own = (key: string) => send(key, {}, '/v1/effects/own');

    it('answer what they stored', async () => {
      const first = await own('k1');
      expect(first.body).toMatchObject({ attempt: 1, resumed: false });
      expect((await own('k1')).body).toEqual(first.body);
      expect(await effects()).toBe(1);
    });

    it('write nothing when another execution went on to the next attempt', async () => {
      const never = gate();
      const reached = gate();
      behaviour = async () => {
        reached.open();
        await never.opened;
      };
      const asleep = own('k1');
      await reached.opened;
      await endLeases();
      behaviour = async (row) => {
        if (row?.resumed) expect(await row.raiseAttempt()).toBe(true);
      };
      const second = await own('k1');
      expect(second.body).toMatchObject({ attempt: 1, resumed: true });
      never.open();
      expect(await asleep).toMatchObject({
        status: 409,
        body: { key: 'idempotency_key_in_use', message: 'Idempotency key in use' },
        headers: { 'retry-after': '1' },
      });
      expect(await effects()).toBe(1);
    });

    it('raise the attempt once only', async () => {
      const raised: boolean[] = [];
      behaviour = async (row) => {
        await endLeases();
        raised.push((await row?.raiseAttempt()) ?? false);
        await database.query('UPDATE idempotency_keys SET attempt = 7');
        raised.push((await row?.raiseAttempt()) ?? false);
      };
      expect((await own('k1')).status).toBe(409);
      expect(raised).toEqual([true, false]);
      expect(await effects()).toBe(0);
    });
  });
});
