import type { RuleDefinition } from '@scrip/contracts/qualification';
import { referencesOf, withIds } from './template-references';
import { templateSnapshot } from './template.fixture';

const any = (conditions: object, rules: object = {}) => ({ name: 'order.items.any', conditions, rules });

/** A rule that names something in each place where one can. */
const rule = (id: (name: string) => string): RuleDefinition => ({
  name: 'All places',
  rules: {
    1: { name: 'customer.segment', conditions: { $is: [id('seg')], $not_in: [id('seg_2')] }, rules: {} },
    2: any(
      { $is: [{ object: 'product', id: id('mug'), source_id: 'm-1' }], $from: [{ id: id('pc') }] },
      { 1: any({ $in: [{ object: 'sku', id: id('mug_red') }] }), logic: '1' },
    ),
    3: { name: 'product.id', conditions: { $is: [{ id: id('cup') }] }, rules: {} },
    4: { name: 'sku.id', conditions: { $is: [{ id: id('cup_red') }] }, rules: {} },
    5: { name: 'customer.metadata', property: 'cup', conditions: { $is: ['mug', 'seg', 'cup'] }, rules: {} },
    6: any({ $is: [{ object: 'product', source_id: 'only' }] }),
    logic: '1 or 2 or 3',
  },
  error: { message: 'mug' },
  applicable_to: {
    included: [{ object: 'products_collection', id: id('pc_2'), effect: 'APPLY_TO_EVERY' }],
    excluded: [{ object: 'product', id: id('mug') }],
    included_all: false,
  },
  bundle_rules: { 1: any({ $is: [{ object: 'sku', id: id('mug_blue'), type: 'product_or_sku' }] }) },
  type: 'expression',
  context_type: 'global',
});

const { content } = templateSnapshot();
const discount = (id: (name: string) => string) => ({
  type: 'UNIT' as const,
  effect: 'ADD_MANY_ITEMS' as const,
  units: [{ unit_off: 1, effect: 'ADD_NEW_ITEMS' as const, unit_type: id('gift') }],
});
const template = (id: (name: string) => string) => ({
  rules: [rule(id)],
  content: { ...content, voucher: { ...content.voucher, discount: discount(id) } },
});
const same = (name: string): string => name;

describe('what a template names', () => {
  it('is found wherever a rule or a discount names it', () => {
    expect(referencesOf(template(same))).toEqual({
      catalog: {
        products: ['mug', 'cup'],
        skus: ['mug_red', 'cup_red', 'mug_blue'],
        collections: ['pc', 'pc_2'],
        units: ['gift'],
      },
      segments: ['seg', 'seg_2'],
    });
  });

  it('is a collection where free units are those of its items', () => {
    const { units: _, ...same_items } = { ...discount(same), effect: 'ADD_SAME_ITEMS' as const };
    const voucher = { ...content.voucher, discount: { ...same_items, unit_off: 1, unit_type: 'pc_gifts' } };
    const free = { rules: [], content: { ...content, voucher } };
    expect(referencesOf(free).catalog).toMatchObject({ collections: ['pc_gifts'], units: [] });
    expect(withIds(free, (_object, id) => `${id}!`).content.voucher.discount).toMatchObject({
      unit_type: 'pc_gifts!',
    });
  });

  it('gets other ids there, and nothing else does', () => {
    expect(withIds(template(same), (object, id) => `${id}!`)).toEqual(template((name) => `${name}!`));
  });

  it('is nothing for a rule that names nothing', () => {
    const bare = { ...rule(same), rules: { logic: '' }, applicable_to: {}, bundle_rules: null };
    const plain = { rules: [bare], content };
    expect(withIds(plain, (_, id) => `${id}!`)).toEqual(plain);
    expect(referencesOf(plain).segments).toEqual([]);
  });
});
