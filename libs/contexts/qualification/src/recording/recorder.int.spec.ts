import type { RedemptionEvent } from '@scrip/contracts/qualification';
import { Fault, newId } from '@scrip/kernel';
import { EntityManager } from 'typeorm';
import type { QualificationRefusalKey } from '../qualification.refusals';
import { insertOutcomes } from '../outcomes/outcome.table';
import { Outcomes } from '../outcomes/outcomes';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { keyRow } from '../key-row.fixture';
import { call, redeemable } from '../redeemables.fixture';
import { SettlementPusher } from '../settlement/settlement';
import { RedeemHandlers } from '../redemption/redeem.handlers';
import { failureFact } from '../redemption/redemption-facts';
import { atNextCommit, cut } from '../interrupted-commit.fixture';
import { Recorder } from './recorder';
import type { Recording } from './recording';

let fixture: QualificationFixture;

beforeAll(async () => {
  fixture = await startQualification('recorder');
});

afterAll(() => fixture.stop());

const recorder = () => fixture.get(Recorder);
const outcomes = () => fixture.get(Outcomes);

const requestFacts = {
  date: '2026-06-15T10:00:00.000Z',
  customer_id: null,
  tracking_id: null,
  metadata: null,
  channel: { channel_type: 'API' as const, channel_id: 'app_1' },
};

const streamOf = (id: string, code: QualificationRefusalKey = 'quantity_exceeded') =>
  failureFact(id, { refusal: { refused: code }, about: null }, requestFacts);

const recording = (id: string, more: Partial<Recording> = {}): Recording => ({
  context: call(),
  outcome: { redemption_id: id, verdict: 'RECORDED', claims: [] },
  streams: [streamOf(id) as { streamId: string; events: RedemptionEvent[] }],
  key: null,
  ...more,
});

const stored = async (...ids: string[]): Promise<string[]> => {
  const rows = await fixture.dataSource.query<{ id: string }[]>(
    'SELECT id FROM redemptions WHERE id = ANY($1) ORDER BY id',
    [ids],
  );
  return rows.map(({ id }) => id);
};

describe('one batch', () => {
  it('leaves out members that somebody abandoned, and records the others', async () => {
    const [kept, lost] = [newId('r_'), newId('r_')];
    await outcomes().resolve([lost]);
    const ends = await Promise.all([recorder().record(recording(lost)), recorder().record(recording(kept))]);
    expect(ends).toEqual(['abandoned', 'recorded']);
    expect(await stored(kept, lost)).toEqual([kept]);
  });

  it('isolates a member that PostgreSQL refuses, and abandons its redemption', async () => {
    const [good, poisoned, alsoGood] = [newId('r_'), newId('r_'), newId('r_')];
    const poison = recording(poisoned, {
      streams: [streamOf(poisoned, 'half \ud800 pair' as QualificationRefusalKey)],
    });
    const ends = await Promise.allSettled([
      recorder().record(recording(good)),
      recorder().record(poison),
      recorder().record(recording(alsoGood)),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await stored(good, poisoned, alsoGood)).toEqual([good, alsoGood].sort());
    expect(await outcomes().read([poisoned])).toMatchObject([{ verdict: 'ABANDONED' }]);
  });

  const answered = (key: string) =>
    fixture.dataSource.query(`UPDATE idempotency_keys SET status = 200, body = '{}' WHERE key = $1`, [key]);

  const keyed = async (key: string) => ({
    row: await keyRow(fixture.dataSource, key),
    answer: { status: 200, body: { of: key } },
  });

  it('writes nothing for a keyed command that another execution has answered, and abandons it', async () => {
    const id = newId('r_');
    const key = await keyed('answered');
    await answered('answered');
    expect(await recorder().record(recording(id, { key }))).toBe('superseded');
    expect(await stored(id)).toEqual([]);
    expect(await outcomes().read([id])).toMatchObject([{ verdict: 'ABANDONED' }]);
  });

  it('completes the keys of all members in one statement, each by its own end', async () => {
    const ids = Array.from({ length: 20 }, () => newId('r_'));
    const keys = await Promise.all(ids.map((_, index) => keyed(`together-${index}`)));
    await answered('together-7');
    const query = jest.spyOn(EntityManager.prototype, 'query');
    const ends = await Promise.all(
      ids.map((id, index) => recorder().record(recording(id, { key: keys[index]! }))),
    );
    const completions = query.mock.calls.filter(([sql]) => sql.includes('UPDATE idempotency_keys'));
    query.mockRestore();
    expect(completions).toHaveLength(1);
    expect(ends.map((end, index) => (end === 'recorded' ? [] : [index, end])).flat()).toEqual([
      7,
      'superseded',
    ]);
    expect(await stored(...ids)).toEqual(ids.filter((_, index) => index !== 7));
    expect(await keys[3]!.row.stored()).toEqual({ status: 200, body: { of: 'together-3' } });
    expect(await keys[7]!.row.stored()).toEqual({ status: 200, body: {} });
  });

  it('writes no failure for a key that another execution answered while the end was unknown', async () => {
    const [failureId, redemptionId] = [newId('rf_'), newId('r_')];
    const failed = recording(failureId, {
      outcome: { redemption_id: redemptionId, verdict: 'ABANDONED', claims: [] },
      key: await keyed('meanwhile'),
    });
    atNextCommit(async (client, send) => {
      cut(client);
      await answered('meanwhile');
      return send();
    });
    expect(await recorder().record(failed)).toBe('superseded');
    expect(await stored(failureId)).toEqual([]);
    expect(await outcomes().read([redemptionId])).toMatchObject([{ verdict: 'ABANDONED' }]);
  });

  it('writes members of several projects', async () => {
    const [here, there] = [newId('r_'), newId('r_')];
    const elsewhere = call({ requestId: 'v-2', project: { ...call().project, id: 'proj_2' } });
    await Promise.all([
      recorder().record(recording(here)),
      recorder().record(recording(there, { context: elsewhere })),
    ]);
    const rows = await fixture.dataSource.query<object[]>(
      `SELECT project_id, stream_id, metadata->>'correlation_id' AS request FROM events WHERE stream_id = ANY($1) ORDER BY 1`,
      [[here, there]],
    );
    expect(rows).toEqual([
      { project_id: 'proj_1', stream_id: here, request: 'v-000000000000000001' },
      { project_id: 'proj_2', stream_id: there, request: 'v-2' },
    ]);
  });
});

describe('a verdict', () => {
  it('stands once it is written', async () => {
    const id = newId('r_');
    await recorder().record(
      recording(id, { outcome: { redemption_id: id, verdict: 'RECORDED', claims: ['clm_1'] } }),
    );
    expect(await outcomes().resolve([id, id])).toEqual([
      { redemption_id: id, verdict: 'RECORDED', claims: ['clm_1'] },
    ]);
  });

  it('of many is inserted in one order, so that nobody waits in a circle', async () => {
    await fixture.dataSource.query(`
      CREATE FUNCTION slow_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.2); RETURN NEW; END $$;
      CREATE TRIGGER slow_insert BEFORE INSERT ON redemption_outcomes FOR EACH ROW EXECUTE FUNCTION slow_insert()`);
    const { manager } = fixture.dataSource;
    const ids = [newId('r_'), newId('r_')];
    const verdicts = ids.map((redemption_id) => ({
      redemption_id,
      verdict: 'ABANDONED' as const,
      claims: [],
    }));
    const written = await Promise.all([
      insertOutcomes(manager, verdicts),
      insertOutcomes(manager, [...verdicts].reverse()),
    ]);
    await fixture.dataSource.query(
      'DROP TRIGGER slow_insert ON redemption_outcomes; DROP FUNCTION slow_insert',
    );
    expect(written.flatMap((found) => [...found]).sort()).toEqual([...ids].sort());
  });

  it('of redemptions under way is either theirs or that of the askers, never both', async () => {
    const ids = Array.from({ length: 60 }, () => newId('r_'));
    const [ends] = await Promise.all([
      Promise.all(ids.map((id) => recorder().record(recording(id)))),
      outcomes().resolve([...ids].reverse()),
      outcomes().resolve(ids),
    ]);
    const standing = new Map(
      (await outcomes().read(ids)).map(({ redemption_id, verdict }) => [redemption_id, verdict]),
    );
    const recordedIds = ids.filter((_, index) => ends[index] === 'recorded');
    expect(ids.filter((id) => standing.get(id) === 'RECORDED')).toEqual(recordedIds);
    expect(await stored(...ids)).toEqual(recordedIds);
  });
});

describe('a connection that is cut at COMMIT', () => {
  const vouchers = (id: string) => [{ object: 'voucher' as const, id }];
  const redeem = (code: string) =>
    fixture.get(RedeemHandlers).redeem(call(), { redeemables: vouchers(code) });
  const successes = async (code: string): Promise<number> => {
    const [row] = await fixture.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM redemptions WHERE voucher_code = $1 AND result = 'SUCCESS'`,
      [code],
    );
    return row!.count;
  };

  beforeAll(() =>
    fixture.dataSource.query(`
      CREATE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.4); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON redemption_outcomes DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.verdict = 'RECORDED') EXECUTE FUNCTION slow_commit()`),
  );

  afterAll(() =>
    fixture.dataSource.query('DROP TRIGGER slow_commit ON redemption_outcomes; DROP FUNCTION slow_commit'),
  );

  it('answers the redemption that the server went on to commit, once', async () => {
    fixture.campaigns.add(redeemable('UNDERWAY', { redemption: { quantity: 1, redeemed_quantity: 0 } }));
    atNextCommit((client, send) => {
      const sent = send();
      setTimeout(() => cut(client), 100); // the server is committing, and goes on
      return sent;
    });
    expect(await redeem('UNDERWAY')).toMatchObject({ redemptions: [{ status: 'SUCCEEDED' }] });
    await fixture.get(SettlementPusher).drained();
    expect([await successes('UNDERWAY'), fixture.campaigns.redeemed('UNDERWAY')]).toEqual([1, 1]);
  });

  it('answers 503 and gives the use back when COMMIT never arrived', async () => {
    fixture.campaigns.add(redeemable('NEVER', { redemption: { quantity: 1, redeemed_quantity: 0 } }));
    atNextCommit((client, send) => {
      cut(client);
      return send();
    });
    await expect(redeem('NEVER')).rejects.toBeInstanceOf(Fault);
    await fixture.get(SettlementPusher).drained();
    expect([await successes('NEVER'), fixture.campaigns.redeemed('NEVER')]).toEqual([0, 0]);
    expect(await redeem('NEVER')).toMatchObject({ redemptions: [{ status: 'SUCCEEDED' }] });
  });

  it('keeps a failed redemption once', async () => {
    atNextCommit((client, send) => {
      const sent = Promise.resolve(send());
      return sent
        .then(() => cut(client))
        .then(() => Promise.reject(new Error('Connection terminated unexpectedly')));
    });
    const refusal = (await redeem('UNDERWAY')) as { refused: string; resourceId: string };
    expect(refusal.refused).toBe('quantity_exceeded');
    expect(await stored(refusal.resourceId)).toEqual([refusal.resourceId]);
  });
});
