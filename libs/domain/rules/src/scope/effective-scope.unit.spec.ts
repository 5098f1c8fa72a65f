import { at, cart, ruleObject } from '../rules.fixture';
import { effectiveScope } from './effective-scope';

const scoped = (applicableTo: unknown) => ruleObject({}, { applicable_to: applicableTo });
const product = (id: string) => ({ object: 'product', id });
const everyProduct = { object: 'products_collection', id: 'pc_a11pr0dUc75' };
const nothing = { included: [], excluded: [], included_all: false };

describe('the scope of effective rules (1.3)', () => {
  it('is the whole order without rules, and with rules that say nothing', () => {
    expect(effectiveScope([], null, at)).toEqual(nothing);
    expect(effectiveScope([ruleObject({}), scoped({ included: [] })], cart([]), at)).toEqual(nothing);
  });

  it('is the union of all rule objects, in assignment order', () => {
    const rules = [
      scoped({ included: [product('a')], excluded: [product('x')] }),
      ruleObject({}),
      scoped({ included: [{ ...product('b'), quantity_limit: 2 }, product('a')], excluded: [product('y')] }),
    ];
    expect(effectiveScope(rules, null, at)).toEqual({
      included: [product('a'), { ...product('b'), quantity_limit: 2 }, product('a')],
      excluded: [product('x'), product('y')],
      included_all: false,
    });
  });

  it('includes everything where one rule object does', () => {
    expect(
      effectiveScope([scoped({ included: [product('a')] }), scoped({ included_all: true })], null, at),
    ).toEqual({ included: [product('a')], excluded: [], included_all: true });
  });
});

describe('legacy discount_applicable (3.2)', () => {
  const applicable = (item: string) => ({
    1: { name: `${item}.discount_applicable`, conditions: { $is: [true] } },
  });
  const ofProduct = (id: string, rest: Record<string, unknown> = {}) => ({
    name: 'product.id',
    conditions: { $is: [{ id }] },
    rules: applicable('product'),
    ...rest,
  });
  const order = cart([
    { product: 'prod_1', price: 100 },
    { product: 'prod_2', sku: 'sku_2', price: 100, productMetadata: { color: 'red' } },
    { sourceId: 'mug', price: 100, productMetadata: { color: 'red' } },
    { price: 100, productMetadata: { color: 'red' } },
  ]);

  it('lets matched lines join as if included', () => {
    expect(effectiveScope([ruleObject({ 1: ofProduct('prod_1') })], order, at)).toEqual({
      included: [{ object: 'product', id: 'prod_1', strict: true }],
      excluded: [],
      included_all: false,
    });
    expect(effectiveScope([ruleObject({ 1: ofProduct('prod_2') })], order, at).included).toEqual([
      { object: 'sku', id: 'sku_2' },
    ]);
    const ofSku = { name: 'sku.id', conditions: { $is: [{ id: 'sku_2' }] }, rules: applicable('sku') };
    expect(effectiveScope([ruleObject({ 1: ofSku })], order, at).included).toEqual([
      { object: 'sku', id: 'sku_2' },
    ]);
  });

  it('takes the lines whose product metadata match, those without a name left out', () => {
    const ofColor = {
      name: 'product.metadata',
      property: 'color',
      conditions: { $is: ['red'] },
      rules: applicable('product.metadata'),
    };
    expect(effectiveScope([ruleObject({ 1: ofColor })], order, at).included).toEqual([
      { object: 'sku', id: 'sku_2' },
      { object: 'product', source_id: 'mug', strict: true },
    ]);
  });

  it('names SKUs by source id where they have no id', () => {
    const [line] = order.lines;
    const bySource = {
      ...order,
      lines: [{ ...line!, identity: { ...line!.identity, skuSourceId: 'red-mug' } }],
    };
    expect(effectiveScope([ruleObject({ 1: ofProduct('prod_1') })], bySource, at).included).toEqual([
      { object: 'sku', source_id: 'red-mug' },
    ]);
  });

  it('takes every item once, also where an entry of its kind includes it', () => {
    const twice = cart([{ product: 'prod_1' }, { product: 'prod_1' }]);
    const rules = [ruleObject({ 1: ofProduct('prod_1'), 2: ofProduct('prod_1') })];
    expect(effectiveScope(rules, twice, at).included).toEqual([
      { object: 'product', id: 'prod_1', strict: true },
    ]);
    const limited = { ...product('prod_1'), quantity_limit: 1 };
    expect(effectiveScope([scoped({ included: [limited] }), ...rules], twice, at).included).toEqual([
      limited,
    ]);
    const collection = { object: 'products_collection', id: 'pc_a11pr0dUc75' };
    expect(effectiveScope([scoped({ included: [collection] }), ...rules], twice, at).included).toEqual([
      collection,
      { object: 'product', id: 'prod_1', strict: true },
    ]);
  });

  it.each([
    ['nothing matches', ofProduct('prod_9'), order],
    ['there is no order', ofProduct('prod_1'), null],
    [
      'the flag is not true',
      ofProduct('prod_1', {
        rules: { 1: { name: 'product.discount_applicable', conditions: { $is: [false] } } },
      }),
      order,
    ],
  ])('leaves nothing in scope where %s', (_, rule, given) => {
    expect(effectiveScope([ruleObject({ 1: rule })], given, at)).toEqual({
      included: [],
      excluded: [everyProduct],
      included_all: false,
    });
  });

  it('excludes nothing where another rule includes something', () => {
    const rules = [ruleObject({ 1: ofProduct('prod_9') })];
    expect(effectiveScope([...rules, scoped({ included: [product('a')] })], order, at)).toEqual({
      included: [product('a')],
      excluded: [],
      included_all: false,
    });
    expect(effectiveScope([...rules, scoped({ included_all: true })], order, at)).toEqual({
      ...nothing,
      included_all: true,
    });
  });

  it('does not ask rules that logic does not name', () => {
    const rule = ruleObject({ 1: ofProduct('prod_1'), 2: { name: 'order.items.count' }, logic: '2' });
    expect(effectiveScope([rule], order, at)).toEqual(nothing);
    const below = ruleObject({
      1: ofProduct('prod_1', {
        rules: { ...applicable('product'), 2: { name: 'product.price' }, logic: '2' },
      }),
    });
    expect(effectiveScope([below], order, at)).toEqual(nothing);
  });

  it('finds them below other rules', () => {
    const rule = ruleObject({ 1: { name: 'order.items.count', rules: { 1: ofProduct('prod_1') } } });
    expect(effectiveScope([rule], order, at).included).toEqual([
      { object: 'product', id: 'prod_1', strict: true },
    ]);
    const deeper = ruleObject({
      1: ofProduct('prod_1', { rules: { 1: { name: 'product.price', rules: applicable('product') } } }),
    });
    expect(effectiveScope([deeper], order, at).included).toEqual([
      { object: 'product', id: 'prod_1', strict: true },
    ]);
  });
});
