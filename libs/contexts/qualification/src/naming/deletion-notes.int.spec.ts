import {
  deleteUnlessNamed,
  type NamedObject,
  namingRulesShown,
  type QualificationPort,
} from '@scrip/contracts/qualification';
import { isRefused, newId, refuse } from '@scrip/kernel';
import { rounds, waitUntil } from '@scrip/testing';
import { AssignmentHandlers } from '../assignment/assignment.handlers';
import { RulesTellWhatTheyName1803100000146 } from '../migrations/rules-tell-what-they-name.migration';
import { type QualificationFixture, startQualification } from '../qualification.fixture';
import { DeletionNotes } from './deletion-notes';
import { call } from '../redeemables.fixture';
import { RuleHandlers } from '../rule/rule.handlers';
import { readRule } from '../rule/rule-request';

let fixture: QualificationFixture;
let port: Pick<QualificationPort, 'noteDeletion' | 'forgetDeletion'>;

beforeAll(async () => {
  fixture = await startQualification('deletion_notes');
  const { note, forget } = fixture.get(DeletionNotes);
  port = { noteDeletion: note, forgetDeletion: forget };
});

afterAll(() => fixture?.stop());

const named = (object: NamedObject['object'], id: string) =>
  object === 'segment'
    ? { name: 'customer.segment', conditions: { $is: [id] }, rules: {} }
    : { name: 'order.items.any', conditions: { $is: [{ id, object }] }, rules: {} };
const bodyNaming = (object: NamedObject['object'], id: string) => ({
  name: 'Rule',
  rules: { '1': named(object, id), logic: '1' },
});
const store = (object: NamedObject['object'], id: string, ruleId = newId('val_')) =>
  fixture.get(RuleHandlers).create(call(), ruleId, bodyNaming(object, id));
const storedId = async (...of: Parameters<typeof store>): Promise<string> => {
  const stored = await store(...of);
  if (isRefused(stored)) throw new Error(stored.details);
  return stored.rule.id;
};
const deletion = (object: NamedObject, remove: () => Promise<string> = async () => 'deleted') =>
  deleteUnlessNamed(port, call(), { pages: [[object]], remove });
const naming = async (id: string): Promise<number> => {
  const rows = await fixture.dataSource.query<object[]>(
    'SELECT FROM validation_rules WHERE $1 = ANY(names) AND NOT deleted',
    [id],
  );
  return rows.length;
};
const made = (id: string) => {
  const definition = readRule(bodyNaming('product', id), { id: 'val_made', stored: null });
  if (isRefused(definition)) throw new Error(definition.details);
  const assignment = {
    id: newId('asgm_'),
    rule_id: 'val_made',
    related_object_type: 'campaign' as const,
    related_object_id: 'camp_made',
    campaign_id: null,
  };
  const rule = { id: 'val_made', definition, made_for: 'camp_made' };
  return fixture.get(AssignmentHandlers).assignAll(call(), [assignment], [rule]);
};
const notes = () => fixture.dataSource.query<object[]>('SELECT FROM deletion_notes');

describe('a deletion of what rules can name', () => {
  it.each(['segment', 'product', 'sku', 'products_collection'] as const)(
    'of a %s is refused while a rule names it, and not once the rule is changed or deleted',
    async (object) => {
      const id = `seg_${object}_named`;
      const first = await storedId(object, id);
      const second = await storedId(object, id);
      const inUse = {
        refused: 'resource_in_use',
        details: `Resource ${object} with id ${id} is in use by validation_rules with ids [${first},${second}]`,
      };
      expect(await deletion({ object, id })).toMatchObject(inUse);
      await fixture.get(RuleHandlers).update(call(), first, { rules: {} });
      await fixture.get(RuleHandlers).delete(call(), second);
      expect(await deletion({ object, id })).toBe('deleted');
      expect(await notes()).toEqual([]);
    },
  );

  it('is not refused for a rule that names another kind of the id', async () => {
    await storedId('product', 'same');
    expect(await deletion({ object: 'sku', id: 'same' })).toBe('deleted');
  });

  it('names as many rules as a refusal shows, the oldest first', async () => {
    const ids: string[] = [];
    for (let n = 0; n < namingRulesShown + 1; n += 1) ids.push(await storedId('product', 'popular'));
    expect(await deletion({ object: 'product', id: 'popular' })).toMatchObject({
      refused: 'resource_in_use',
      related_object_ids: ids.slice(0, namingRulesShown),
      related_object_type: 'validation_rules',
    });
  });

  it('keeps rules from naming it until it is over', async () => {
    const answer = await deletion({ object: 'product', id: 'leaving' }, async () => {
      expect(await store('product', 'leaving')).toEqual(
        refuse('multiple_requests', 'leaving, which the rule names, is being deleted'),
      );
      const { rule } = (await store('product', 'staying')) as { rule: { id: string } };
      expect(
        await fixture.get(RuleHandlers).update(call(), rule.id, bodyNaming('product', 'leaving')),
      ).toMatchObject({ refused: 'multiple_requests' });
      await expect(made('leaving')).rejects.toMatchObject({ kind: 'unavailable' });
      return 'deleted';
    });
    expect(answer).toBe('deleted');
    expect(await store('product', 'leaving')).toMatchObject({ rule: { name: 'Rule' } });
  });

  it('that nobody ends keeps rules from naming it for two minutes', async () => {
    await port.noteDeletion(call(), { deletion_id: 'del_1', objects: [{ object: 'product', id: 'lost' }] });
    expect(await store('product', 'lost')).toMatchObject({ refused: 'multiple_requests' });
    await fixture.dataSource.query(`UPDATE deletion_notes SET until = until - interval '2 minutes'`);
    await storedId('product', 'lost');
    await port.noteDeletion(call(), { deletion_id: 'del_2', objects: [{ object: 'product', id: 'more' }] });
    expect(await fixture.dataSource.query('SELECT deletion_id FROM deletion_notes')).toEqual([
      { deletion_id: 'del_2' },
    ]);
    await port.forgetDeletion(call(), { deletion_id: 'del_2' });
  });

  it('waits for rules that are being stored, which may not see its note, and finds them', async () => {
    const id = await storedId('product', 'unnoted');
    const runner = fixture.dataSource.createQueryRunner();
    await runner.startTransaction();
    // As the transaction that stores a rule begins.
    await runner.query('SELECT 1 FROM validation_rules WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const answer = deletion({ object: 'product', id: 'noted' });
    await waitUntil(async () => (await notes()).length === 1, { what: 'the note' });
    await runner.query(
      `UPDATE validation_rules SET names = '{noted}', state = replace(state::text, 'unnoted', 'noted')::jsonb WHERE id = $1`,
      [id],
    );
    await runner.commitTransaction();
    await runner.release();
    expect(await answer).toMatchObject({ refused: 'resource_in_use', related_object_ids: [id] });
  });

  it('or the rule wins: none is stored while it goes on', async () => {
    for (let n = 0; n < rounds(200); n += 1) {
      const id = `race_${n}`;
      const stores = () => Array.from({ length: 4 }, () => store('product', id));
      const early = n % 2 === 0 ? stores() : [];
      const deleted = deletion({ object: 'product', id }, async () => {
        const before = await naming(id);
        await Promise.allSettled(stores());
        return before + (await naming(id)) === 0 ? 'deleted' : 'deleted what a rule names';
      });
      const [answer, ...stored] = await Promise.all([deleted, ...early, ...(n % 2 === 0 ? [] : stores())]);
      expect(isRefused(answer) ? stored.some((one) => !isRefused(one)) : answer === 'deleted').toBe(true);
    }
  });

  it('finds the rules of before by every text that may be an id', async () => {
    const id = await storedId('segment', 'seg_old');
    await fixture.dataSource.query(`UPDATE validation_rules SET names = '{}'`);
    const runner = fixture.dataSource.createQueryRunner();
    await runner.startTransaction();
    await new RulesTellWhatTheyName1803100000146().down(runner);
    await new RulesTellWhatTheyName1803100000146().up(runner);
    await runner.commitTransaction();
    await runner.release();
    expect(await deletion({ object: 'segment', id: 'seg_old' })).toMatchObject({
      details: `Resource segment with id seg_old is in use by validation_rules with ids [${id}]`,
    });
  });
});
