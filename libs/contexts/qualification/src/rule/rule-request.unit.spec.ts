import { isRefused } from '@scrip/kernel';
import { readRule } from './rule-request';

const rulesWith = (conditions: object) => ({
  1: { name: 'order.items.any', rules: { 1: { name: 'customer.segment', conditions } } },
  logic: '1',
});
const read = (conditions: object) =>
  readRule({ name: 'Members', rules: rulesWith(conditions) }, { id: 'val_1', stored: null });

describe('a rule about segments', () => {
  it.each(['$is', '$is_not', '$in', '$not_in'])('that names one by its name is refused: %s', (operator) => {
    expect(read({ [operator]: ['seg_1', 'Golds'] })).toEqual({
      refused: 'invalid_validation_rules',
      details: `Operator '${operator}' of rule 'customer.segment' takes only ids of segments (seg_…), not 'Golds'`,
    });
  });

  it.each([{ $is: ['seg_1'] }, { $not_in: [] }, { $contains: ['01'] }, { $count: [2] }])(
    'takes %j',
    (conditions) => {
      expect(read(conditions)).toMatchObject({ name: 'Members' });
    },
  );

  it('that was stored before stays where its rules are not sent', () => {
    const stored = readRule(
      { name: 'Members', rules: rulesWith({ $is: ['seg_1'] }) },
      { id: 'val_1', stored: null },
    );
    if (isRefused(stored)) throw new Error(stored.details);
    const before = { ...stored, rules: rulesWith({ $is: ['Golds'] }) };
    expect(readRule({ name: 'Renamed' }, { id: 'val_1', stored: before })).toMatchObject({ name: 'Renamed' });
  });
});
