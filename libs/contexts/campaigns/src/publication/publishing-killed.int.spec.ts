import { resolve } from 'node:path';
import { KilledProgram, rounds, waitUntil } from '@scrip/testing';
import { campaignsDatabase, coupons } from '../campaigns.fixture';

const file = resolve(__dirname, '../campaigns-program.fixture.ts');
const kills = rounds(10);
const callers = 32;
/** Answers of each process before it is killed. */
const answersEach = 64;
/** Customers of the campaign that is joined once: fewer than callers, so that some join at once. */
const joiners = 12;

/** One call, and what was answered; null: the process was killed. */
interface Call {
  n: number;
  campaign: string;
  customer: string;
  source_id: string | null;
  answer: { status: number; body: any } | null;
}

describe(`publications of ${callers} callers in a process that is killed`, () => {
  let program: KilledProgram;
  const calls: Call[] = [];

  const post = (path: string, body: object, headers?: Record<string, string>) =>
    program.call('POST', path, body, headers);
  const bodyOf = ({ campaign, customer, source_id }: Call) => ({
    campaign,
    customer: { source_id: customer },
    ...(source_id === null ? {} : { source_id }),
  });
  const keyOf = ({ n }: Call) => ({ 'idempotency-key': `publication-${n}` });
  const rowsOf = async <Row>(sql: string): Promise<Row[]> =>
    (await program.database.query(sql)).rows as Row[];

  const create = async (name: string, fields: object) => {
    const { status, body } = await post('/v1/campaigns', coupons(name, { ...fields }));
    expect(status).toBe(200);
    await waitUntil(
      async () =>
        (await program.count(`SELECT count(*) FROM campaigns.vouchers WHERE campaign_id = '${body.id}'`)) > 0,
      { what: `the codes of ${name}` },
    );
  };

  /** A fourth of the calls is for the campaign that is joined once. */
  const nextCall = (): Call => {
    const n = calls.length;
    const call: Call =
      n % 4 === 0
        ? { n, campaign: 'once', customer: `joiner-${(n / 4) % joiners}`, source_id: null, answer: null }
        : { n, campaign: 'many', customer: `reader-${n % 50}`, source_id: `order-${n}`, answer: null };
    calls.push(call);
    return call;
  };
  const callUntilKilled = async (): Promise<void> => {
    for (;;) {
      const call = nextCall();
      call.answer = await post('/v1/publications', bodyOf(call), keyOf(call)).catch(() => null);
      if (call.answer === null) return;
    }
  };

  beforeAll(async () => {
    program = await KilledProgram.start(file, await campaignsDatabase());
    await create('many', { vouchers_count: 300 * kills });
    await create('once', { vouchers_count: joiners, join_once: true });
    for (let killed = 0; killed < kills; killed += 1) {
      const answered = () => calls.filter(({ answer }) => answer !== null).length;
      const before = answered();
      const ended = Promise.all(Array.from({ length: callers }, callUntilKilled));
      await waitUntil(() => answered() >= before + answersEach, {
        what: 'publications',
        timeoutMs: 60_000,
        intervalMs: 1,
      });
      await program.kill();
      await ended;
      await program.startAgain();
    }
  }, 600_000);
  afterAll(() => program?.end());

  const answered = () =>
    calls.flatMap(({ campaign, customer, answer }) =>
      answer
        ? [{ campaign, customer, status: answer.status, id: answer.body.id, code: answer.body.voucher?.code }]
        : [],
    );

  it('are stored as they were answered', async () => {
    const told = answered();
    expect(told.length).toBeGreaterThanOrEqual(answersEach * kills);
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200]));
    const stored = await rowsOf<{ id: string; voucher_code: string }>(
      `SELECT id, voucher_code FROM campaigns.publications WHERE result = 'SUCCESS'`,
    );
    const codes = new Map(stored.map(({ id, voucher_code }) => [id, voucher_code]));
    expect(told.filter(({ id, code }) => codes.get(id) !== code)).toEqual([]);
    const many = told.filter(({ campaign }) => campaign === 'many');
    expect(new Set(many.map(({ id }) => id)).size).toBe(many.length);
  });

  it('answer a repetition as they did, and publish what was not answered once', async () => {
    const told = calls.filter(({ answer }) => answer !== null).slice(-callers);
    const again = await Promise.all(told.map((call) => post('/v1/publications', bodyOf(call), keyOf(call))));
    expect(again).toEqual(told.map(({ answer }) => answer));
    // The keys of calls that were killed are held until their lease is over; the source id and the membership tell as well.
    const unanswered = calls.filter(({ answer }) => answer === null);
    expect(unanswered.length).toBeGreaterThan(0);
    const publishAll = () => Promise.all(unanswered.map((call) => post('/v1/publications', bodyOf(call))));
    const first = await publishAll();
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]));
    const namesOf = ({ body }: (typeof first)[number]) => [body.id, body.voucher.code];
    expect((await publishAll()).map(namesOf)).toEqual(first.map(namesOf));
    const sourceIds = calls.flatMap(({ source_id }) => source_id ?? []);
    expect(
      await program.count(`SELECT count(*) FROM campaigns.publications WHERE source_id IS NOT NULL`),
    ).toBe(sourceIds.length);
  });

  it('give each code once, with its publication and its holder, and nothing beside', async () => {
    const publications = await program.count('SELECT count(*) FROM campaigns.publications');
    const counts = await Promise.all(
      [
        'SELECT count(DISTINCT voucher_id) FROM campaigns.publications',
        'SELECT count(*) FROM campaigns.holders',
        'SELECT count(DISTINCT voucher_id) FROM campaigns.holders',
        'SELECT count(*) FROM campaigns.vouchers WHERE NOT publishable',
        `SELECT count(*) FROM campaigns.events WHERE type = 'VoucherPublished'`,
        `SELECT count(DISTINCT stream_id) FROM campaigns.events WHERE type = 'VoucherPublished'`,
        `SELECT count(*) FROM campaigns.events WHERE type = 'PublicationSucceeded'`,
      ].map((sql) => program.count(sql)),
    );
    expect(counts).toEqual(counts.map(() => publications));
  });

  it('let each customer join once', async () => {
    const members = await rowsOf<{ customer_id: string; publication_id: string }>(
      `SELECT m.customer_id, m.publication_id FROM campaigns.campaign_members m
       JOIN campaigns.campaigns c ON c.id = m.campaign_id WHERE c.name = 'once'`,
    );
    const stored = await rowsOf<{ id: string }>(
      `SELECT id FROM campaigns.publications WHERE campaign = 'once' ORDER BY id`,
    );
    expect(members.map(({ publication_id }) => publication_id).sort()).toEqual(stored.map(({ id }) => id));
    const joined = new Map(members.map((member) => [member.customer_id, member.publication_id]));
    const told = answered().filter(({ campaign }) => campaign === 'once');
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter(({ customer, id }) => joined.get(`cust_of_${customer}`) !== id)).toEqual([]);
  });
});
