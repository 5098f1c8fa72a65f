import { createDatabase, untilTheHourLasts } from '@scrip/testing';
import { DataSource } from 'typeorm';
import { authContext } from '../index';
import type { AuditActor } from './audit-entry';
import { networksMax, storeRefusal, tellRefusals } from './audit-refusals.table';

let database: DataSource;

beforeAll(async () => {
  database = new DataSource({
    ...{ type: 'postgres', url: await createDatabase('audit_refusals'), poolSize: 10 },
    ...{ migrations: [...authContext.migrations], migrationsTransactionMode: 'each' },
  });
  await database.initialize();
  await database.runMigrations();
});
afterAll(() => database?.destroy());
beforeEach(async () => {
  await database.query('TRUNCATE audit_entries, audit_refusals');
  await untilTheHourLasts(10_000);
});

const from = (address: string, requestId = 'v-1'): AuditActor => ({
  ...{ requestId, apiKey: null, user: null },
  caller: { user_id: null, key_id: null, session_id: null, address },
});
const refuse = (address: string, userId: string | null = 'user_1') =>
  storeRefusal(database, from(address), { action: 'session.refused', userId });
const entries = () =>
  database.query<Record<string, unknown>[]>(
    'SELECT actor_type, address, action, resource_id, changes FROM audit_entries ORDER BY id',
  );
const anHourLater = () =>
  database.query(
    `UPDATE audit_refusals SET hour = hour - interval '1 hour', first_at = first_at - interval '1 hour',
       last_at = last_at - interval '1 hour'`,
  );
const said = { actor_type: 'unknown', action: 'session.refused', resource_id: 'user_1' };

describe('refused passwords in the audit trail', () => {
  it('have an entry at once for the first of an hour, and one for the further ones when it is over', async () => {
    for (let n = 0; n < 4; n += 1) await refuse('192.0.2.1');
    await tellRefusals(database);
    const first = { ...said, address: '192.0.2.1', changes: {} };
    expect(await entries()).toEqual([first]);
    await anHourLater();
    await tellRefusals(database);
    const further = { ...said, address: '192.0.2.1', changes: { times: 3, since: expect.any(String) } };
    expect(await entries()).toEqual([first, further]);
    await tellRefusals(database);
    expect(await entries()).toHaveLength(2);
    await refuse('192.0.2.1');
    expect(await entries()).toHaveLength(3);
  });

  it('have no second entry where the hour had one', async () => {
    await refuse('192.0.2.1');
    await anHourLater();
    await tellRefusals(database);
    expect(await entries()).toHaveLength(1);
  });

  it('are told apart by user and by network', async () => {
    await refuse('192.0.2.1');
    await refuse('192.0.2.1', 'user_2');
    await refuse('192.0.2.1', null);
    await refuse('2001:db8::1');
    await refuse('2001:db8::2');
    expect((await entries()).map(({ address, resource_id }) => [address, resource_id])).toEqual([
      ['192.0.2.1', 'user_1'],
      ['192.0.2.1', 'user_2'],
      ['192.0.2.1', null],
      ['2001:db8::1', 'user_1'],
    ]);
  });

  it(`are told together beyond ${networksMax} networks, so that an hour has few entries however many are refused`, async () => {
    for (let n = 1; n <= networksMax + 5; n += 1) await refuse(`192.0.2.${n}`);
    await refuse('192.0.2.1');
    // The 21st stands for all others.
    expect(await entries()).toHaveLength(networksMax + 1);
    await anHourLater();
    await tellRefusals(database);
    expect((await entries()).slice(networksMax + 1)).toEqual(
      expect.arrayContaining([
        { ...said, address: '192.0.2.1', changes: { times: 1, since: expect.any(String) } },
        { ...said, address: null, changes: { times: 4, since: expect.any(String) } },
      ]),
    );
    expect(await entries()).toHaveLength(networksMax + 3);
  });

  it('are counted each once by fifty calls at one time, and told by one of two processes', async () => {
    await Promise.all(Array.from({ length: 50 }, () => refuse('192.0.2.1')));
    expect(await entries()).toHaveLength(1);
    await anHourLater();
    await Promise.all([tellRefusals(database), tellRefusals(database)]);
    expect((await entries()).map(({ changes }) => changes)).toEqual([
      {},
      { times: 49, since: expect.any(String) },
    ]);
  });
});
