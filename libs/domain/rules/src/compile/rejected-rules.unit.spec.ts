import { lineRuleNames } from '../catalogue/catalogue';
import { problemOf, ruleObject } from '../rules.fixture';
import { mugs, segment } from './definitions.fixture';

describe('what is rejected on write (1.2)', () => {
  it.each<[string, unknown, string]>([
    ['rules that are no object', [], 'Rules must be an object'],
    ['rules that are a text', 'none', 'Rules must be an object'],
    ['a key that is no number', { a: segment }, "Rule key 'a' must be a number from 1"],
    ['the key 0', { 0: segment }, "Rule key '0' must be a number from 1"],
    ['a key with a leading zero', { '01': segment }, "Rule key '01' must be a number from 1"],
    ['a key with more behind it', { '1a': segment }, "Rule key '1a' must be a number from 1"],
    ['a long key', { ['k'.repeat(101)]: segment }, `Rule key '${'k'.repeat(100)}…' must be a number from 1`],
    ['a rule that is no object', { 1: 'x' }, "Rule '1' must be an object"],
    ['a rule that is null', { 1: null }, "Rule '1' must be an object"],
    ['a rule that is a list', { 1: [] }, "Rule '1' must be an object"],
    ['a rule without name', { 1: {} }, "Rule '1' must have a 'name'"],
    ['a name that is no text', { 1: { name: 5 } }, "Rule '1' must have a 'name'"],
    ['an unknown name', { 1: { name: 'customer.age' } }, "Unknown rule name 'customer.age'"],
    [
      'a name that is nearly known',
      { 1: { name: 'order.amout' } },
      "Unknown rule name 'order.amout'. Did you mean order.amount?",
    ],
    ['the name of an object member', { 1: { name: 'constructor' } }, "Unknown rule name 'constructor'"],
    ['a name of 100 characters', { 1: { name: 'n'.repeat(100) } }, `Unknown rule name '${'n'.repeat(100)}'`],
    ['a longer name', { 1: { name: 'n'.repeat(101) } }, `Unknown rule name '${'n'.repeat(100)}…'`],
    [
      'metadata without property',
      { 1: { name: 'custom_event.metadata' } },
      "Rule 'custom_event.metadata' must have a 'property'",
    ],
    [
      'an empty property',
      { 1: { name: 'order.metadata', property: '' } },
      "Rule 'order.metadata' must have a 'property'",
    ],
    [
      'a property that is null',
      { 1: { name: 'product.metadata', property: null } },
      "Rule 'product.metadata' must have a 'property'",
    ],
    [
      'a property that is no text',
      { 1: { name: 'order.metadata', property: 7 } },
      "Property of rule 'order.metadata' must be a string",
    ],
    [
      'a property elsewhere that is no text',
      { 1: { ...segment, property: 7 } },
      "Property of rule 'customer.segment' must be a string",
    ],
    [
      'an unknown operator',
      { 1: { ...segment, conditions: { $not: ['a'] } } },
      "Operator '$not' of rule 'customer.segment' is not known. Operators should be equal to one of the allowed values [ $is, $is_not, $in, $not_in, $starts_with, $ends_with, $contains, $count, $count_more, $count_less, $not_differ, $not_intersect ]",
    ],
    [
      'an operand that is no list',
      { 1: { ...segment, conditions: { $is: 'a' } } },
      "Operator '$is' of rule 'customer.segment' must have an array of operands",
    ],
    [
      'an operand of the wrong type',
      { 1: { ...segment, conditions: { $is: [7] } } },
      "Operator '$is' of rule 'customer.segment' takes only texts",
    ],
    [
      'conditions that are no object',
      { 1: { ...segment, conditions: 'x' } },
      "Conditions of rule 'customer.segment' must be an object",
    ],
    [
      'a text that is none',
      { 1: { ...segment, error: { message: 1 } } },
      "Error message of rule 'customer.segment' must be a string",
    ],
    [
      'an error that is no object',
      { 1: { ...segment, error: 'x' } },
      "Error message of rule 'customer.segment' must be a string",
    ],
    ['logic that is no text', { 1: segment, logic: 1 }, 'Logic must be a string'],
    ['bad logic', { 1: segment, logic: '1 and' }, 'Logic ends too early'],
    [
      'the first of several problems',
      { 2: { name: 'b' }, 1: { name: 'a' }, logic: '3' },
      "Unknown rule name 'a'",
    ],
    [
      'an unknown rule that logic does not name',
      { 1: segment, 2: { name: 'b' }, logic: '1' },
      "Unknown rule name 'b'",
    ],
    ['a problem below a rule', { 1: { ...mugs, rules: { 3: {} } } }, "Rule '1.rules.3' must have a 'name'"],
    [
      'bad logic below a rule',
      { 1: { ...mugs, rules: { logic: '2' } } },
      "Logic names rule '2', which is not defined",
    ],
    ['rules below a rule that are no object', { 1: { ...mugs, rules: [] } }, 'Rules must be an object'],
    [
      'a product entry that is a text',
      { 1: { ...mugs, conditions: { $is: ['prod_1'] } } },
      "Operator '$is' of rule 'order.items.any' takes only objects with id and object",
    ],
    [
      'a product entry of no kind',
      { 1: { ...mugs, conditions: { $in: [{ id: 'prod_1' }] } } },
      "Operator '$in' of rule 'order.items.any' takes only objects that name a product, sku or products_collection",
    ],
    [
      'a product entry of another kind',
      { 1: { ...mugs, conditions: { $is: [{ id: 'p', object: 'order' }] } } },
      "Operator '$is' of rule 'order.items.any' takes only objects that name a product, sku or products_collection",
    ],
    [
      'a product entry without id',
      { 1: { ...mugs, conditions: { $is: [{ object: 'product' }] } } },
      "Operator '$is' of rule 'order.items.any' takes only objects that name a product, sku or products_collection",
    ],
    [
      'a collection by source id',
      { 1: { ...mugs, conditions: { $is: [{ object: 'products_collection', source_id: 'a' }] } } },
      "Operator '$is' of rule 'order.items.any' takes only objects that name a product, sku or products_collection",
    ],
    [
      'an operator that products have not',
      { 1: { ...mugs, conditions: { $more_than: [1] } } },
      "Operator '$more_than' of rule 'order.items.any' cannot be used there",
    ],
    [
      '$from of a product',
      { 1: { ...mugs, conditions: { $from: [{ id: 'p', object: 'product' }] } } },
      "Operator '$from' of rule 'order.items.any' takes only objects that name a collection",
    ],
    [
      '$from of one kind of item',
      { 1: { name: 'sku.id', conditions: { $from: [{ id: 'pc_1' }] } } },
      "Operator '$from' of rule 'sku.id' cannot be used there",
    ],
    [
      '$from elsewhere',
      { 1: { ...segment, conditions: { $from: [{ id: 'pc_1' }] } } },
      "Operator '$from' of rule 'customer.segment' cannot be used there",
    ],
    [
      'a rule about lines at the top',
      { 1: { name: 'order.items.price' } },
      "Rule 'order.items.price' is only allowed below a rule about order items",
    ],
    [
      'a rule about lines below another rule',
      { 1: { ...segment, rules: { 1: { name: 'product.price' } } } },
      "Rule 'product.price' is only allowed below a rule about order items",
    ],
    [
      'a price below none',
      { 1: { ...mugs, name: 'order.items.none', rules: { 1: { name: 'order.items.price' } } } },
      "Rule 'order.items.price' is not allowed below rule 'order.items.none'",
    ],
    [
      'a legacy name below a new one',
      { 1: { ...mugs, rules: { 1: { name: 'product.price' } } } },
      "Rule 'product.price' is not allowed below rule 'order.items.any'",
    ],
    [
      'a rule about prices of other lines',
      { 1: { name: 'order.items.price_any', rules: { 1: { name: 'order.items.price' } } } },
      "Rule 'order.items.price' is not allowed below rule 'order.items.price_any'",
    ],
  ])('%s', (_, rules, problem) => {
    expect(problemOf(rules)).toBe(problem);
  });

  it.each<[string, unknown]>([
    [
      'a product by source id',
      { 1: { ...mugs, conditions: { $is: [{ source_id: 'a', object: 'product' }] } } },
    ],
    ['$from of a collection', { 1: { ...mugs, conditions: { $from: [{ id: 'pc_1' }] } } }],
    ['a legacy product entry', { 1: { name: 'product.id', conditions: { $is: [{ id: 'prod_1' }] } } }],
    [
      'aliases',
      { 1: { name: 'order.amount', conditions: { $greater_than: [1], $greater_than_or_equal: [1] } } },
    ],
    ['nothing in a condition', { 1: { name: 'order.amount', conditions: null, rules: null, error: null } }],
    ['any rule below a rule', { 1: { ...mugs, rules: { 1: segment, logic: '1' } } }],
    [
      'rules about lines below rules below them',
      { 1: { ...mugs, rules: { 1: { ...segment, rules: { 1: { name: 'order.items.price' } } } } } },
    ],
    ['a text that is null', { 1: { ...segment, error: { message: null } } }],
    ['a large key', { [`9${'0'.repeat(30)}`]: segment, logic: `9${'0'.repeat(30)}` }],
  ])('but not %s', (_, rules) => {
    expect(problemOf(rules)).toBeNull();
  });

  it('knows each rule about lines below its rule only', () => {
    for (const name of lineRuleNames) {
      expect(problemOf({ 1: { name, property: 'p' } })).toBe(
        `Rule '${name}' is only allowed below a rule about order items`,
      );
    }
    expect(lineRuleNames.size).toBe(15);
  });

  it('takes keys in the order of their numbers', () => {
    const rule = ruleObject({ 10: segment, 9: segment, 1: segment, 100: segment });
    expect(rule.root.leaves.map(({ key }) => key)).toEqual(['1', '9', '10', '100']);
    const large = ruleObject({ '20000000000': segment, '10000000000': segment, '3': segment });
    expect(large.root.leaves.map(({ key }) => key)).toEqual(['3', '10000000000', '20000000000']);
  });

  it('forgets rules that logic does not name', () => {
    const rule = ruleObject({
      1: segment,
      2: { name: 'order.total_amount' },
      3: { name: 'campaign.redemptions.count' },
      logic: '1',
    });
    expect(rule).toMatchObject({ root: { leaves: [{ key: '1' }] }, needsResult: false, counters: [] });
  });
});
