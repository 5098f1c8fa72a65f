import { newId } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';
import { type CampaignsFixture, bootCampaigns, caller, coupons, project } from '../campaigns.fixture';
import { ruledName, RulesOfImports } from '../imports/rules-of-imports';

let fixture: CampaignsFixture;

beforeAll(async () => {
  fixture = await bootCampaigns();
  fixture.outcomes.rules.add('val_1');
}, 60_000);

afterAll(() => fixture?.running.close());

type Json = Record<string, any>;

const assignRules = () => fixture.outcomes.assignRules;
const assigned = () => [...fixture.outcomes.assigned.values()].map((one) => one.related_object_id);
const exists = async (table: string, id: string): Promise<boolean> => {
  const rows = await fixture.database.query(`SELECT 1 FROM ${table} WHERE id = $1`, [id]);
  return (rows as unknown[]).length > 0;
};

const discount = { type: 'PERCENT', percent_off: 10 };
const rules = { validation_rules: ['val_1'] };
const kinds: [kind: string, table: string, path: string, body: (named: string) => Json][] = [
  ['a campaign', 'campaigns', '/v1/campaigns', (name) => coupons(name, rules)],
  [
    'a promotion with tiers',
    'campaigns',
    '/v1/campaigns',
    (name) => ({ name, campaign_type: 'PROMOTION', promotion: { tiers: [{ name: 'One', ...rules }] } }),
  ],
  [
    'a voucher',
    'vouchers',
    '/v1/vouchers',
    (code) => ({ code, type: 'DISCOUNT_VOUCHER', discount, ...rules }),
  ],
];

/** The object with whose creation the assignment stands or falls. */
const createdWith = ({ campaign_id, related_object_id, related_object_type }: Json): string =>
  (related_object_type === 'promotion_tier' ? campaign_id : related_object_id) as string;

describe.each(kinds)('the creation of %s with rules', (_, table, path, body) => {
  const create = (named: string, headers: Record<string, string> = {}) =>
    fixture.call('POST', path, body(named), headers);
  let original: ReturnType<typeof assignRules>;

  beforeEach(() => {
    original = assignRules();
    fixture.outcomes.assigned.clear();
  });
  afterEach(() => {
    fixture.outcomes.assignRules = original;
  });

  it('comes after their assignment', async () => {
    const seen: boolean[] = [];
    fixture.outcomes.assignRules = async (context, request) => {
      for (const one of request.assignments) seen.push(await exists(table, createdWith(one)));
      return original(context, request);
    };
    const { status } = await create(newId('after-'));
    expect({ status, seen }).toEqual({ status: 200, seen: [false] });
    const [one] = [...fixture.outcomes.assigned.values()];
    expect(await exists(table, createdWith(one!))).toBe(true);
  });

  it('never happens once its assignments count as left behind, and happens when it is repeated', async () => {
    const ids: string[] = [];
    fixture.outcomes.assignRules = async (context, request) => {
      const answer = await original(context, request);
      const id = createdWith(request.assignments[0]!);
      ids.push(id);
      const objects = [{ type: 'campaign' as const, id, campaign_id: null }];
      // What asks on behalf of a process that seems to have died, while the creation is about to be stored.
      if (ids.length === 1)
        expect(await fixture.port.resolveRuledObjects(caller(), { objects })).toEqual({ gone: [id] });
      return answer;
    };
    const named = newId('late-');
    const key = { 'idempotency-key': newId('key-') };
    expect((await create(named, key)).status).toBe(503);
    expect(await exists(table, ids[0]!)).toBe(false);
    expect((await create(named, key)).status).toBe(200);
    expect(ids[1]).not.toBe(ids[0]);
    expect(await exists(table, ids[1]!)).toBe(true);
    const objects = ids.map((id) => ({ type: 'campaign' as const, id, campaign_id: null }));
    expect(await fixture.port.resolveRuledObjects(caller(), { objects })).toEqual({ gone: [ids[0]] });
  });

  it('happens once under fifty callers of one name, and the others leave no rule behind', async () => {
    const named = newId('fifty-');
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(named)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(409)]);
    expect(assigned()).toHaveLength(1);
    const [one] = [...fixture.outcomes.assigned.values()];
    expect(createdWith(one!)).toBe(answers.find(({ status }) => status === 200)!.body.id);
  });
});

describe('objects that rules are assigned to', () => {
  const resolve = (...ids: string[]) =>
    fixture.port.resolveRuledObjects(caller(), {
      objects: ids.map((id) => ({ type: 'voucher' as const, id, campaign_id: null })),
    });

  it('are gone once they are deleted, vouchers with their campaign', async () => {
    const { body: campaign } = await fixture.call(
      'POST',
      '/v1/campaigns',
      coupons('gone', { vouchers_count: 1 }),
    );
    const { body: list } = await fixture.call('GET', '/v1/vouchers?campaign=gone');
    const { id } = (list as Json).vouchers[0] as Json;
    expect(await resolve(campaign.id as string, id as string)).toEqual({ gone: [] });
    await fixture.call('DELETE', `/v1/campaigns/${campaign.id}`);
    expect((await resolve(campaign.id as string, id as string)).gone.sort()).toEqual(
      [campaign.id, id].sort(),
    );
  });

  it('are asked about again and again with one answer', async () => {
    const id = newId('v_');
    expect(await Promise.all(Array.from({ length: 20 }, () => resolve(id)))).toEqual(
      Array(20).fill({ gone: [id] }),
    );
  });
});

describe('vouchers of a file with rules', () => {
  const assign = (task: string, ...codes: string[]) =>
    fixture.get(RulesOfImports).assign(
      caller(),
      task,
      codes.map((code) => ({ code, body: {}, rule: 'val_1' })),
      { rehearsal: false },
    );

  it('get the ids of the first time when their chunk is begun again, until one was given up', async () => {
    fixture.outcomes.assigned.clear();
    const task = newId('aa_c');
    const [oneCode, twoCode] = [newId('one-'), newId('two-')];
    const [one, two] = [ruledName(oneCode, 'val_1'), ruledName(twoCode, 'val_1')];
    const first = await assign(task, oneCode, twoCode);
    expect(assigned()).toEqual([first.get(one), first.get(two)]);
    expect(await assign(task, oneCode, twoCode)).toEqual(first);
    expect(fixture.outcomes.assigned.size).toBe(2);
    const given = first.get(one) as string;
    await fixture.port.resolveRuledObjects(caller(), {
      objects: [{ type: 'voucher', id: given, campaign_id: null }],
    });
    const again = await assign(task, oneCode, twoCode);
    expect(again.get(two)).toBe(first.get(two));
    expect(again.get(one)).not.toBe(given);
  });

  it('are created under other ids where the first were given up before their chunk was stored', async () => {
    const original = assignRules();
    const ids: string[] = [];
    fixture.outcomes.assignRules = async (context, request) => {
      const answer = await original(context, request);
      const objects = request.assignments.map(({ related_object_id: id }) => ({
        type: 'voucher' as const,
        id,
        campaign_id: null,
      }));
      if (ids.length === 0) await fixture.port.resolveRuledObjects(context, { objects });
      ids.push(...objects.map(({ id }) => id));
      return answer;
    };
    const code = newId('late-');
    const file = new FormData();
    file.set(
      'file',
      new Blob([`Code,Voucher Type,Value,Validation Rule ID\n${code},GIFT_VOUCHER,5,val_1\n`]),
      'f.csv',
    );
    const headers = { 'x-app-id': 'app', 'x-app-token': project.id };
    await fetch(`${fixture.running.url}/v1/vouchers/importCSV`, { method: 'POST', headers, body: file });
    await waitUntil(async () => (await fixture.call('GET', `/v1/vouchers/${code}`)).status === 200, {
      what: 'the voucher',
    });
    fixture.outcomes.assignRules = original;
    expect(ids).toHaveLength(2);
    expect((await fixture.call('GET', `/v1/vouchers/${code}`)).body.id).toBe(ids[1]);
  });

  it('get none where their code is taken', async () => {
    fixture.outcomes.assigned.clear();
    const code = newId('taken-');
    await fixture.call('POST', '/v1/vouchers', { code, type: 'DISCOUNT_VOUCHER', discount });
    expect(await assign(newId('aa_c'), code)).toEqual(new Map());
    expect(assigned()).toEqual([]);
  });

  it('fail where their rule goes while it is assigned, and the others do not', async () => {
    fixture.outcomes.rules.add('val_going');
    const { unknownRules } = fixture.outcomes;
    fixture.outcomes.unknownRules = async (context, request) => {
      const answer = await unknownRules(context, request);
      fixture.outcomes.rules.delete('val_going');
      return answer;
    };
    const rows = [
      { code: newId('stays-'), body: {}, rule: 'val_1' },
      { code: newId('goes-'), body: {}, rule: 'val_going' },
    ];
    const ruled = await fixture
      .get(RulesOfImports)
      .assign(caller(), newId('aa_c'), rows, { rehearsal: false });
    fixture.outcomes.unknownRules = unknownRules;
    expect(ruled.get(ruledName(rows[0]!.code, 'val_1'))).toMatch(/^v_/);
    expect(ruled.get(ruledName(rows[1]!.code, 'val_going'))).toMatchObject({
      refused: 'not_found',
      resourceId: 'val_going',
    });
  });
});
