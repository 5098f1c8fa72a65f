import { Fault, isRefused, newId } from '@scrip/kernel';
import { touchedRows } from '@scrip/testing';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { call, project } from '../redeemables.fixture';
import { RuleHandlers } from '../rule/rule.handlers';
import { AssignmentConfirmation } from './assignment-confirmation';
import { AssignmentEnds, ofGoneObjects } from './assignment-ends';
import { AssignmentHandlers } from './assignment.handlers';
import { AssignmentReads, firstOfObjects } from './assignment.reads';

let fixture: QualificationFixture;

beforeAll(async () => {
  fixture = await startQualification('confirmation');
});

afterAll(() => fixture?.stop());

const rules = () => fixture.get(RuleHandlers);
const confirm = (minimumAge = 0) => fixture.get(AssignmentConfirmation).confirm(minimumAge);

const newRule = async (): Promise<string> => {
  const created = await rules().create(call(), newId('val_'), { name: 'A rule' });
  if (isRefused(created)) throw new Error(created.details);
  return created.rule.id;
};

const assign = (
  rule_id: string,
  object: { type?: 'voucher' | 'campaign' | 'promotion_tier'; id: string; campaign_id?: string },
) => {
  const { type = 'voucher', id, campaign_id = null } = object;
  const one = { id: newId('asgm_'), rule_id, related_object_type: type, related_object_id: id, campaign_id };
  return fixture.get(AssignmentHandlers).assignAll(call(), [one]);
};

const heldBy = async (...ids: string[]): Promise<string[]> =>
  (await fixture.get(AssignmentReads).ofObjects(project.id, ids)).map((one) => one.related_object_id).sort();

describe('an assignment', () => {
  it('does not block its rule where its object never came to be', async () => {
    const rule = await newRule();
    await assign(rule, { id: 'v_orphan' });
    fixture.campaigns.gone.add('v_orphan');
    expect(await rules().delete(call(), rule)).toMatchObject({ refused: 'resource_in_use' });
    expect(await confirm()).toBe(1);
    expect(await heldBy('v_orphan')).toEqual([]);
    expect(await rules().delete(call(), rule)).toMatchObject({ deleted: true });
    expect(await fixture.events.verifyState()).toEqual([]);
  });

  it('is asked about once where its object exists', async () => {
    const rule = await newRule();
    await assign(rule, { id: 'v_live' });
    await assign(rule, { type: 'campaign', id: 'camp_live' });
    expect(await confirm()).toBe(2);
    fixture.campaigns.gone.add('v_live');
    expect(await confirm()).toBe(0);
    expect(await heldBy('v_live', 'camp_live')).toEqual(['camp_live', 'v_live']);
  });

  it('is not asked about while the call that makes its object may run', async () => {
    await assign(await newRule(), { id: 'v_young' });
    fixture.campaigns.gone.add('v_young');
    expect(await confirm(60)).toBe(0);
    expect(await heldBy('v_young')).toEqual(['v_young']);
    expect(await confirm()).toBe(1);
  });

  it('of a tier ends with the campaign that never came to be', async () => {
    const rule = await newRule();
    fixture.campaigns.gone.add('camp_lost');
    await assign(rule, { type: 'promotion_tier', id: 'promo_lost', campaign_id: 'camp_lost' });
    await assign(rule, { type: 'promotion_tier', id: 'promo_kept', campaign_id: 'camp_kept' });
    expect(await confirm()).toBe(2);
    expect(await heldBy('promo_lost', 'promo_kept')).toEqual(['promo_kept']);
  });

  it('waits where the owner does not answer', async () => {
    await assign(await newRule(), { id: 'v_waits' });
    const { resolveRuledObjects } = fixture.campaigns;
    fixture.campaigns.resolveRuledObjects = () => Promise.reject(new Fault('unavailable', 'away'));
    expect(await confirm()).toBe(0);
    fixture.campaigns.resolveRuledObjects = resolveRuledObjects;
    fixture.campaigns.gone.add('v_waits');
    expect(await confirm()).toBe(1);
    expect(await heldBy('v_waits')).toEqual([]);
  });

  it('ends once under fifty callers, and when all of a campaign end', async () => {
    const [one, two] = [await newRule(), await newRule()];
    const ids = Array.from({ length: 60 }, (_, n) => `v_of_${n}`);
    for (const id of ids) await assign(id < 'v_of_3' ? one : two, { id, campaign_id: 'camp_ends' });
    await assign(one, { type: 'campaign', id: 'camp_ends' });
    await assign(one, { type: 'campaign', id: 'camp_stays' });
    const ended = { objects: [], campaigns: ['camp_ends'] };
    await Promise.all(Array.from({ length: 50 }, () => fixture.get(AssignmentEnds).of(call(), ended)));
    expect(await heldBy(...ids, 'camp_ends', 'camp_stays')).toEqual(['camp_stays']);
    expect(await fixture.events.verifyState()).toEqual([]);
    const [counted] = await fixture.dataSource.query(
      `SELECT count(*)::int AS n FROM events WHERE type = 'ValidationRuleUnassigned' AND stream_id = ANY($1)`,
      [[one, two]],
    );
    expect(counted).toEqual({ n: 61 });
  });
});

describe('the lists of what rules hold', () => {
  it('have the first of each object, and count all', async () => {
    for (let n = 0; n < 23; n += 1) await assign(await newRule(), { id: 'v_much' });
    const lone = await newRule();
    await assign(lone, { id: 'v_little' });
    const lists = await fixture
      .get(AssignmentReads)
      .shownOf(project.id, ['v_none', 'v_much', 'v_little', 'v_much']);
    const [little, much] = [...lists].sort((a, b) => a.total - b.total);
    expect(lists).toHaveLength(2);
    expect(little).toMatchObject({ object_id: 'v_little', total: 1, assignments: [{ rule_id: lone }] });
    expect(much).toMatchObject({ object_id: 'v_much', total: 23 });
    expect(much!.assignments).toHaveLength(20);
    const times = much!.assignments.map(({ created_at, id }) => `${created_at} ${id}`);
    expect(times).toEqual([...times].sort());
  });

  it('are read by an index, and so is what ends', async () => {
    await fixture.dataSource.query(`
      INSERT INTO rule_assignments (project_id, id, rule_id, related_object_type, related_object_id, campaign_id, created_at)
        SELECT 'proj_many', 'asgm_' || lpad(n::text, 6, '0'), 'val_1', 'voucher', 'v_' || n, 'camp_' || n / 10, now()
        FROM generate_series(1, 20000) n`);
    await fixture.dataSource.query('VACUUM ANALYZE rule_assignments');
    const shown = { text: firstOfObjects, values: ['proj_many', ['v_17', 'v_18']] };
    const ended = { text: ofGoneObjects, values: ['proj_many', ['v_1'], ['camp_5'], ''] };
    for (const [statement, most] of [
      [shown, 2],
      [ended, 11],
    ] as const) {
      const touched = await touchedRows(fixture.dataSource, statement, 'rule_assignments');
      expect(touched.scans).not.toContain('Seq Scan');
      expect(touched.rows).toBeLessThanOrEqual(most);
    }
  });
});
