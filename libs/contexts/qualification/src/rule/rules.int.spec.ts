import { ruleBytesLoaded } from '@scrip/contracts/qualification';
import { isRefused, newId } from '@scrip/kernel';
import { touchedRows } from '@scrip/testing';
import { AssignmentHandlers } from '../assignment/assignment.handlers';
import { AssignmentListQuery, assignmentListStatements } from '../assignment/assignment-list.query';
import { AssignmentReads } from '../assignment/assignment.reads';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { call, project } from '../redeemables.fixture';
import { RuleHandlers } from './rule.handlers';
import { RuleListQuery, ruleListStatements } from './rule-list.query';
import type { RuleState } from './rule.decider';
import { RuleReads } from './rule.reads';

let fixture: QualificationFixture;

beforeAll(async () => {
  fixture = await startQualification('rules');
});

afterAll(() => fixture?.stop());

const rules = () => fixture.get(RuleHandlers);
const assignments = () => fixture.get(AssignmentHandlers);

const ruleOf = async (body: object = { name: 'Large orders' }): Promise<RuleState> => {
  const created = await rules().create(call(), newId('val_'), body);
  if (isRefused(created)) throw new Error(created.details);
  return created;
};

const wanted = (rule_id: string, related_object_id: string) => ({
  id: newId('asgm_'),
  rule_id,
  related_object_type: 'campaign' as const,
  related_object_id,
  campaign_id: null,
});

describe('a rule and its assignments', () => {
  it('are one of the two under fifty callers: deleted, or assigned', async () => {
    const { rule } = await ruleOf();
    const calls = Array.from({ length: 50 }, (_, n) =>
      n % 2 === 0
        ? rules().delete(call(), rule.id)
        : assignments().assign(call(), wanted(rule.id, `camp_race_${n}`)),
    );
    const answers = await Promise.all(calls);
    const deleted = answers.filter((answer, n) => n % 2 === 0 && !isRefused(answer)).length;
    const assigned = answers.filter((answer, n) => n % 2 === 1 && !isRefused(answer)).length;
    const kept = await fixture.get(AssignmentReads).list(call(), {
      ...new AssignmentListQuery(),
      rule: rule.id,
    });
    expect(deleted === 1 ? 0 : 25).toBe(assigned);
    expect(kept.total).toBe(assigned);
  });

  it('are made once for an object by fifty callers', async () => {
    const { rule } = await ruleOf();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => assignments().assign(call(), wanted(rule.id, 'camp_once'))),
    );
    expect(answers.filter((answer) => !isRefused(answer))).toHaveLength(1);
    expect(
      answers.filter((answer) => isRefused(answer) && answer.refused === 'duplicate_found'),
    ).toHaveLength(49);
  });

  it('answer a repetition under the same id as before, and give way by force', async () => {
    const { rule } = await ruleOf();
    const one = wanted(rule.id, 'camp_again');
    const first = await assignments().assign(call(), one);
    expect(await assignments().assign(call(), one)).toEqual(first);
    const other = { ...one, id: newId('asgm_') };
    expect(await assignments().assign(call(), other)).toMatchObject({ refused: 'duplicate_found' });
    expect(await assignments().assign(call(), other, { force: true })).toMatchObject({ id: other.id });
    const { assignments: kept } = await fixture.get(AssignmentReads).list(call(), {
      ...new AssignmentListQuery(),
      related_object_id: 'camp_again',
    });
    expect(kept.map(({ id }) => id)).toEqual([other.id]);
    expect(await fixture.events.verifyState()).toEqual([]);
  });

  it('come all or none to an object that is about to be created', async () => {
    const [{ rule: first }, { rule: second }] = [await ruleOf(), await ruleOf()];
    const some = [
      wanted(first.id, 'camp_new'),
      wanted('val_none', 'camp_new'),
      wanted(second.id, 'camp_new'),
    ];
    expect(await assignments().assignAll(call(), some)).toMatchObject({
      refused: 'not_found',
      details: 'Cannot find validation_rules with id val_none',
    });
    const reads = fixture.get(AssignmentReads);
    expect(await reads.ofObjects(project.id, ['camp_new'])).toEqual([]);
    const [one, , two] = some;
    await assignments().assignAll(call(), [one!, two!]);
    await assignments().assignAll(call(), [one!, two!]);
    const held = await reads.ofObjects(project.id, ['camp_new']);
    expect(held.map(({ rule_id }) => rule_id).sort()).toEqual([first.id, second.id].sort());
    await assignments().unassignAll(call(), held);
    await assignments().unassignAll(call(), held);
    expect(await reads.ofObjects(project.id, ['camp_new'])).toEqual([]);
  });
});

describe('rules that are made for an object', () => {
  const definition = {
    name: 'In shops',
    rules: { logic: '' },
    error: null as { message: string } | null,
    applicable_to: { excluded: [], included: [], included_all: false },
    bundle_rules: null,
    type: 'expression',
    context_type: 'global',
  };
  const reads = () => fixture.get(RuleReads);
  const made = (made_for: string) => ({ id: newId('val_'), definition, made_for });

  it('are there with their assignment, and go where the object never was', async () => {
    const rule = made('camp_made');
    const one = wanted(rule.id, 'camp_made');
    const assigned = await assignments().assignAll(call(), [one], [rule]);
    expect(await assignments().assignAll(call(), [one], [rule])).toEqual(assigned);
    expect(await reads().ofObject(project.id, 'camp_made')).toEqual({ rules: [definition], total: 1 });
    await assignments().unassignAll(call(), [one], { neverWas: true });
    expect(await reads().find(call(), rule.id)).toMatchObject({ refused: 'not_found' });
    expect(await fixture.events.verifyState()).toEqual([]);
  });

  it('are not there where one that is assigned with them does not exist', async () => {
    const rule = made('camp_half');
    const some = [wanted(rule.id, 'camp_half'), wanted('val_none', 'camp_half')];
    expect(await assignments().assignAll(call(), some, [rule])).toMatchObject({ refused: 'not_found' });
    expect(await reads().find(call(), rule.id)).toMatchObject({ refused: 'not_found' });
  });

  it('are loaded as far as an answer holds them, and counted', async () => {
    const text = 'x'.repeat(ruleBytesLoaded / 2);
    for (const error of [null, { message: text }, { message: text }]) {
      const rule = { ...made('camp_large'), definition: { ...definition, error } };
      await assignments().assignAll(call(), [wanted(rule.id, 'camp_large')], [rule]);
    }
    const loaded = await reads().ofObject(project.id, 'camp_large');
    expect([loaded.rules.length, loaded.total]).toEqual([2, 3]);
  });
});

describe('lists', () => {
  beforeAll(async () => {
    await fixture.dataSource.query(`
      INSERT INTO validation_rules (project_id, id, version, state, name, deleted, created_at, updated_at)
        SELECT p, 'val_' || lpad(n::text, 6, '0'), 1, '{}', 'Rule ' || n, false,
          '2026-01-01'::timestamptz + n * interval '1 minute', '2026-02-01'::timestamptz + n * interval '1 minute'
        FROM unnest(ARRAY['proj_a', 'proj_b']) p, generate_series(1, 5000) n;
      INSERT INTO rule_assignments (project_id, id, rule_id, related_object_type, related_object_id, created_at)
        SELECT project_id, 'asgm' || substr(id, 4), 'val_' || right(id, 2), 'voucher', 'v_' || right(id, 4), created_at
        FROM validation_rules WHERE project_id <> '${project.id}'`);
    await fixture.dataSource.query('VACUUM ANALYZE validation_rules');
    await fixture.dataSource.query('VACUUM ANALYZE rule_assignments');
  });

  it.each(['created_at', '-created_at', 'updated_at', '-updated_at', 'name', '-name'] as const)(
    'of rules read a page by an index in the order %s',
    async (order) => {
      const { page } = ruleListStatements('proj_a', { ...new RuleListQuery(), order });
      const touched = await touchedRows(fixture.dataSource, page, 'validation_rules');
      expect(touched.scans).not.toContain('Seq Scan');
      expect(touched.rows).toBeLessThanOrEqual(11);
    },
  );

  it.each([{}, { rule: 'val_17' }, { related_object_id: 'v_0017' }])(
    'of assignments read a page by an index: %p',
    async (filter) => {
      const { page } = assignmentListStatements('proj_a', { ...new AssignmentListQuery(), ...filter });
      const touched = await touchedRows(fixture.dataSource, page, 'rule_assignments');
      expect(touched.scans).not.toContain('Seq Scan');
      expect(touched.rows).toBeLessThanOrEqual(11);
    },
  );
});
