import { problemOf, ruleObject } from '../rules.fixture';

const aggregated = (quantity: unknown): Record<string, unknown> => ({
  1: { name: 'order.items.aggregated_quantity', conditions: { $is: [quantity] } },
  logic: '1',
});
const component = (operand: unknown, rules?: unknown): Record<string, unknown> => ({
  name: 'order.items.any',
  conditions: { $is: [operand] },
  ...(rules !== undefined && { rules }),
});
const productA = { id: 'prod_A', type: 'product_or_sku', object: 'product' };
const collectionC = { id: 'pc_C', type: 'products_collection', object: 'products_collection' };
const two = component(productA, aggregated(2));

const bundleOf = (bundleRules: unknown) => ruleObject({}, { bundle_rules: bundleRules }).bundle;
const bundleProblem = (bundleRules: unknown) => problemOf({}, { bundle_rules: bundleRules });

describe('bundle_rules (1.4)', () => {
  it.each([undefined, null, {}, { limit: 3 }, { logic: '' }])('are not there: %j', (bundleRules) => {
    expect(bundleOf(bundleRules)).toBeNull();
  });

  it('take components in the order of their keys', () => {
    expect(
      bundleOf({
        10: component({ ...productA, source_id: 'a', object: 'sku', id: 'sku_1' }, aggregated(1)),
        2: component(collectionC, aggregated(5)),
        1: two,
        logic: '1 and 2 and 10',
        limit: 3,
      }),
    ).toEqual({
      components: [
        { object: 'product', id: 'prod_A', quantity: 2 },
        { object: 'products_collection', id: 'pc_C', quantity: 5 },
        { object: 'sku', id: 'sku_1', source_id: 'a', quantity: 1 },
      ],
      limit: 3,
      scaling: 'MULTIPLY',
    });
  });

  it.each([undefined, null, {}, { logic: '' }])('need one unit without a sub-rule: %j', (rules) => {
    expect(bundleOf({ 1: component(productA, rules) })?.components).toEqual([
      { object: 'product', id: 'prod_A', quantity: 1 },
    ]);
  });

  it('take a single key, its logic and errors of components', () => {
    expect(bundleOf({ 1: { ...two, error: { message: 'x' } }, logic: '1', error: { message: 'y' } })).toEqual(
      {
        components: [{ object: 'product', id: 'prod_A', quantity: 2 }],
        limit: 1,
        scaling: 'MULTIPLY',
      },
    );
  });

  it.each([1, 100])('take the limit %j', (limit) => {
    expect(bundleOf({ 1: two, limit })?.limit).toBe(limit);
  });

  it.each(['MULTIPLY', 'ONCE'])('take the scaling %s', (scaling) => {
    expect(bundleOf({ 1: two, scaling })?.scaling).toBe(scaling);
  });

  it('take no limit as 1', () => {
    expect(bundleOf({ 1: two, limit: null })?.limit).toBe(1);
  });

  const operandNeeded = "Bundle rule '1' must have one operand '$is' with 'id', 'type' and 'object'";
  const quantityNeeded =
    "Bundle rule '1' must have one sub-rule 'order.items.aggregated_quantity' with an integer from 1";
  it.each<[unknown, string]>([
    [[], 'Bundle must be an object'],
    ['x', 'Bundle must be an object'],
    [{ a: two }, "Bundle rule key 'a' must be a number from 1"],
    [{ 0: two }, "Bundle rule key '0' must be a number from 1"],
    [{ ['k'.repeat(200)]: two }, `Bundle rule key '${'k'.repeat(100)}' must be a number from 1`],
    [{ 1: two, limit: 0 }, 'Bundle limit must be an integer from 1 to 100'],
    [{ 1: two, limit: 101 }, 'Bundle limit must be an integer from 1 to 100'],
    [{ 1: two, limit: 1.5 }, 'Bundle limit must be an integer from 1 to 100'],
    [{ 1: two, limit: '1' }, 'Bundle limit must be an integer from 1 to 100'],
    [{ 1: two, scaling: 'TWICE' }, 'Bundle scaling must be one of MULTIPLY, ONCE'],
    [{ 1: null }, "Bundle rule '1' must be 'order.items.any'"],
    [{ 1: { ...two, name: 'order.items.every' } }, "Bundle rule '1' must be 'order.items.any'"],
    [{ 1: { name: 'order.items.any' } }, operandNeeded],
    [{ 1: { ...two, conditions: { $is: [] } } }, operandNeeded],
    [{ 1: { ...two, conditions: { $is: [productA, productA] } } }, operandNeeded],
    [{ 1: { ...two, conditions: { $is: productA } } }, operandNeeded],
    [{ 1: { ...two, conditions: { $in: [productA] } } }, operandNeeded],
    [{ 1: { ...two, conditions: { $is: [productA], $from: [] } } }, operandNeeded],
    [{ 1: component('prod_A') }, operandNeeded],
    [{ 1: component({ ...productA, id: undefined, source_id: 'a' }) }, operandNeeded],
    [{ 1: component({ ...productA, object: undefined }) }, operandNeeded],
    [
      { 1: component({ ...productA, type: undefined }) },
      "Bundle rule '1' must have an operand of type 'product_or_sku'",
    ],
    [
      { 1: component({ ...productA, type: 'products_collection' }) },
      "Bundle rule '1' must have an operand of type 'product_or_sku'",
    ],
    [
      { 1: component({ ...collectionC, type: 'product_or_sku' }) },
      "Bundle rule '1' must have an operand of type 'products_collection'",
    ],
    [{ 1: component(productA, []) }, quantityNeeded],
    [{ 1: component(productA, aggregated(0)) }, quantityNeeded],
    [{ 1: component(productA, aggregated(1.5)) }, quantityNeeded],
    [{ 1: component(productA, aggregated('2')) }, quantityNeeded],
    [{ 1: component(productA, { ...aggregated(1), 2: {} }) }, quantityNeeded],
    [{ 1: component(productA, { 2: aggregated(1)[1] }) }, quantityNeeded],
    [{ 1: component(productA, { ...aggregated(1), logic: '2' }) }, quantityNeeded],
    [
      { 1: component(productA, { 1: { name: 'order.items.quantity', conditions: { $is: [1] } } }) },
      quantityNeeded,
    ],
    [{ 1: component(productA, { 1: null }) }, quantityNeeded],
    [{ 1: two, logic: 1 }, 'Bundle logic must be a string'],
    [{ 1: two, logic: '2' }, "Bundle: Logic names rule '2', which is not defined"],
    [{ 1: two, logic: '1 and' }, 'Bundle: Logic ends too early'],
    [{ 1: two, 2: two, logic: '1 or 2' }, 'Bundle logic must join its rules by AND'],
    [{ 1: two, 2: two, logic: '1 and (1 or 2)' }, 'Bundle logic must join its rules by AND'],
    [{ 2: { name: 'b' }, 1: { name: 'a' } }, "Bundle rule '1' must be 'order.items.any'"],
  ])('refuses %j', (bundleRules, problem) => {
    expect(bundleProblem(bundleRules)).toBe(problem);
  });

  it('have 100 components at most', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index + 1), two]));
    expect(bundleProblem(many(100))).toBeNull();
    expect(bundleProblem(many(101))).toBe('There must not be more than 100 bundle rules');
  });

  it('accept brackets around a conjunction', () => {
    expect(bundleProblem({ 1: two, 2: two, 3: two, logic: '(1 and 2) and 3' })).toBeNull();
  });
});
