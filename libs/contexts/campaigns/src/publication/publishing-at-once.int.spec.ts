import { waitUntil } from '@scrip/testing';
import { bootCampaigns, type CampaignsFixture } from '../campaigns.fixture';
import { CodeStock } from './code-stock';
import { FreeVouchers } from './free-vouchers';
import type { Published } from './publication-try';
import { PublishingAtOnce } from './publishing-at-once';
import { campaignWith, membersOf, publishedOf, statementsOf, tryIn } from './publishing.fixture';

let fixture: CampaignsFixture;

beforeAll(async () => {
  fixture = await bootCampaigns();
});

afterAll(() => fixture.running.close());

/** Whether a statement waits for a lock of the connection. */
const isWaitedFor = async (pid: number): Promise<boolean> => {
  const waiting = await fixture.database.query(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND $1 = ANY(pg_blocking_pids(pid))`,
    [pid],
  );
  return waiting.length > 0;
};

/** A process of the service: with codes at hand that no other one knows of. */
const newProcess = () =>
  new PublishingAtOnce(fixture.events, new CodeStock(new FreeVouchers(fixture.events)));

const codesOf = (tried: Awaited<ReturnType<PublishingAtOnce['run']>>): string[] =>
  publishedOf(tried ?? []).map(({ vouchers }) => vouchers[0]!.code);

/** A campaign of ten codes, from which a process has published one. */
const begun = async (fields?: Record<string, unknown>) => {
  const { id } = await campaignWith(fixture, 10, fields);
  const process = newProcess();
  const tryOf = (customer: string, asked?: Parameters<typeof tryIn>[3]) =>
    tryIn(fixture, id, customer, asked);
  const [first] = codesOf(await process.run([await tryOf('cust_first')]));
  return { id, process, tryOf, first };
};

it('publishes to several customers by one statement', async () => {
  const { id, process, tryOf, first } = await begun();
  const tries = await Promise.all(['cust_a', 'cust_b', 'cust_first'].map((customer) => tryOf(customer)));
  const { result, statements } = await statementsOf(() => process.run(tries));
  expect(new Set([first, ...codesOf(result)]).size).toBe(4);
  expect(statements).toEqual([
    expect.stringMatching(
      /INSERT INTO campaign_members[^]*SKIP LOCKED[^]*UPDATE vouchers[^]*INSERT INTO publications[^]*INSERT INTO holders/,
    ),
  ]);
  expect(await membersOf(fixture, id)).toEqual(['cust_a', 'cust_b', 'cust_first']);
});

it('writes nothing where another process published one of the codes', async () => {
  const { id, process, tryOf } = await begun();
  const [taken] = codesOf(await newProcess().run([await tryOf('cust_other')]));
  expect(taken).toBeDefined();
  expect(await process.run([await tryOf('cust_late'), await tryOf('cust_later')])).toBeNull();
  expect(await membersOf(fixture, id)).toEqual(['cust_first', 'cust_other']);
  const [{ count }] = await fixture.database.query(
    `SELECT count(*)::int AS count FROM vouchers WHERE campaign_id = $1 AND NOT publishable`,
    [id],
  );
  expect(count).toBe(2);
  // And from then on it locks what it publishes.
  const { statements } = await statementsOf(async () => process.run([await tryOf('cust_late')]));
  expect(statements).toEqual([]);
});

it('tells what it comes to while it is written, also where that is taken back', async () => {
  const { id, process, tryOf } = await begun();
  const foreseen: Published[] = [];
  const tryTold = () => tryOf('cust_told', { foreseen: (published) => foreseen.push(published) });
  const [written] = publishedOf((await process.run([await tryTold()])) ?? []);
  expect(foreseen).toEqual([written]);
  expect(foreseen[0]).toBe(written);
  codesOf(await newProcess().run([await tryOf('cust_other')]));
  expect(await process.run([await tryTold()])).toBeNull();
  expect(foreseen).toHaveLength(2);
  const stored = await fixture.database.query(`SELECT id FROM publications WHERE campaign_id = $1`, [id]);
  expect(stored.map((row: { id: string }) => row.id)).not.toContain(foreseen[1]!.published.id);
});

it('waits for no code that another transaction holds', async () => {
  const { id, process, tryOf } = await begun();
  const holder = fixture.database.createQueryRunner();
  await holder.startTransaction();
  try {
    await holder.query('SELECT id FROM vouchers WHERE campaign_id = $1 FOR NO KEY UPDATE', [id]);
    const [{ pid }] = await holder.query('SELECT pg_backend_pid() AS pid');
    let ended = false;
    const late = process.run([await tryOf('cust_late')]).finally(() => (ended = true));
    await waitUntil(async () => ended || (await isWaitedFor(pid as number)), {
      what: 'the end, or a wait for a lock',
    });
    await holder.rollbackTransaction();
    expect(await late).toBeNull();
  } finally {
    await holder.release();
  }
});

it('writes nothing where the campaign changed after its codes were read', async () => {
  const { id, process, tryOf } = await begun();
  const late = await tryOf('cust_late');
  const changed = { activity_duration_after_publishing: 'P7D' };
  expect((await fixture.call('PUT', `/v1/campaigns/${id}`, changed)).status).toBe(200);
  expect(await process.run([late])).toBeNull();
  expect(await membersOf(fixture, id)).toEqual(['cust_first']);
});

it('writes nothing at all where the source id of one is taken', async () => {
  const { id, process, tryOf } = await begun();
  await process.run([await tryOf('cust_a', { source_id: id })]);
  await expect(
    process.run([await tryOf('cust_b', { source_id: id }), await tryOf('cust_c')]),
  ).rejects.toMatchObject({ constraint: 'publications_source_id' });
  expect(await membersOf(fixture, id)).toEqual(['cust_a', 'cust_first']);
});

it('leaves to a transaction what joins once, and what too few codes are free for', async () => {
  const { process, tryOf } = await begun();
  expect(await process.run([await tryOf('cust_a'), await tryOf('cust_b', { joinOnce: true })])).toBeNull();
  expect(await process.run([await tryOf('cust_a', { count: 10 })])).toBeNull();
  const joinedOnce = await campaignWith(fixture, 2, { join_once: true });
  expect(await process.run([await tryIn(fixture, joinedOnce.id, 'cust_a')])).toBeNull();
});
