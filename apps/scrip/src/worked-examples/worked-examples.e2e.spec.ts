import { newId } from '@scrip/kernel';
import { type SharedScrip, sharedScrip, waitUntil } from '@scrip/testing';
import { calculationExamples } from './order-calculation.fixture';
import { redemptionExamples } from './redemption.fixture';
import { other, ruleExamples, vip, vipsThreeMugs } from './rules.fixture';
import {
  amount,
  type Asked,
  type Given,
  type WorkedExample,
  catalogue,
  clothes,
  idOf,
  onSale,
  storedOrder,
  vips,
} from './worked-example.fixture';

const examples = [...calculationExamples, ...ruleExamples, ...redemptionExamples];

describe('worked examples of reference 01, 02 and 03', () => {
  let scrip: SharedScrip;
  /** What stands for ids in the table, and the ids. */
  const ids = new Map<string, string>();
  /** The redeemables of each example. */
  const redeemables = new Map<WorkedExample, object[]>();

  const create = async (path: string, body: object): Promise<any> => scrip.ask('POST', path, named(body));
  const named = (value: object): object =>
    JSON.parse(JSON.stringify(value), (_, one: unknown) =>
      typeof one === 'string' ? (ids.get(one) ?? one) : one,
    );

  const created = async (given: Given): Promise<object> => {
    const rules =
      'rule' in given && given.rule
        ? [(await create('/v1/validation-rules', { name: newId('Rule '), ...given.rule })).id as string]
        : [];
    if ('stack' in given || ('tier' in given && given.tier)) {
      const actions = 'stack' in given ? given.stack : [{ discount: given.discount }];
      const { id, promotion } = await create('/v1/campaigns', {
        ...{ name: newId('Promotion '), campaign_type: 'PROMOTION' },
        promotion: { tiers: actions.map((action, place) => ({ name: `Tier ${place}`, action })) },
      });
      const tiers = promotion.tiers.map((tier: { id: string }) => tier.id) as string[];
      if (!('stack' in given)) return { object: 'promotion_tier', id: tiers[0] };
      const stack = await create(`/v1/promotions/${id}/stacks`, { name: 'Stack', tiers: { ids: tiers } });
      return { object: 'promotion_stack', id: stack.id };
    }
    const code = newId('CODE-').toUpperCase();
    const incentive =
      'gift' in given
        ? { type: 'GIFT_VOUCHER', gift: { amount: given.gift } }
        : { type: 'DISCOUNT_VOUCHER', discount: given.discount };
    await create(`/v1/vouchers/${code}`, { ...incentive, validation_rules: rules });
    const credits = 'credits' in given ? { gift: { credits: given.credits } } : {};
    return { object: 'voucher', id: code, ...credits };
  };
  const createdInOrder = (given: readonly Given[]) => Promise.all(given.map(created));

  const redeem = async (of: object[], { order, customer }: Asked) => {
    const { status, body } = await scrip.call('POST', '/v1/redemptions', {
      redeemables: of,
      order,
      customer,
    });
    expect([status, body]).toMatchObject([200, {}]);
    return body;
  };

  beforeAll(async () => {
    scrip = await sharedScrip();
    const products = await Promise.all(
      Object.entries(catalogue).map(async ([source_id, price]) => [
        source_id,
        (await create('/v1/products', { source_id, name: source_id, price })).id as string,
      ]),
    );
    for (const [source_id, id] of products) ids.set(idOf(source_id!), id!);
    const collectionOf = async (name: string, ...sources: string[]) => {
      const items = sources.map((source_id) => ({ object: 'product', id: idOf(source_id) }));
      const { id } = await create('/v1/product-collections', {
        name: newId('Of '),
        type: 'STATIC',
        products: items,
      });
      ids.set(name, id as string);
    };
    await Promise.all([
      collectionOf(clothes, 'shirt', 'socks'),
      collectionOf(onSale, 'shirt', 'poster', 'mug', 'socks'),
      create('/v1/segments', {
        ...{ name: 'VIPs', type: 'auto-update' },
        filter: { 'metadata.tier': { conditions: { $is: ['VIP'] } } },
      }).then(({ id }) => ids.set(vips, id as string)),
    ]);
    await Promise.all(
      examples.map(async (example) => redeemables.set(example, await createdInOrder(example.given))),
    );
  }, 240_000);

  const withSettings = async (settings: object | undefined, work: () => Promise<void>) => {
    if (!settings) return work();
    const path = `/management/v1/projects/${scrip.credentials.project_id}/stacking-rules`;
    const { body } = await scrip.callAsManager('POST', path, settings);
    try {
      return await work();
    } finally {
      await scrip.callAsManager('DELETE', `${path}/${body.id}`);
    }
  };

  const stepsOf = (entries: any[]) => entries.map(({ order }) => order.total_applied_discount_amount ?? 0);
  const linesOf = ({ items }: any) => items.map((line: any) => line.discount_amount ?? 0);

  it.each(
    examples.map((one) => [`${one.section}: ${one.quote}${one.case ? `, ${one.case}` : ''}`, one] as const),
  )('%s', async (_, example) => {
    const asked = { redeemables: redeemables.get(example)! };
    const { total, steps, lines, order, redeemables: each, refused, text } = example.expected;
    const context: Asked = { order: example.order, customer: example.customer };
    if (example.used) await redeem(asked.redeemables, example.used);
    for (const earlier of example.before ?? []) {
      const before = await redeem(await createdInOrder(earlier.given), earlier);
      ids.set(storedOrder, before.order.id as string);
    }
    await withSettings(example.settings, async () => {
      const body = named({ ...asked, ...context });
      const validated = (await scrip.call('POST', '/v1/validations', body)).body;
      const redeemed = await scrip.call('POST', '/v1/redemptions', body);
      if (each) expect(validated.redeemables).toMatchObject(each);
      if (refused) {
        const [first] = validated.inapplicable_redeemables;
        expect([validated.valid, first.result.error.key]).toEqual([false, refused]);
        expect([redeemed.status, redeemed.body.key]).toEqual([400, refused]);
        for (const error of [first.result.error, redeemed.body]) expect(error.error?.message).toBe(text);
        return;
      }
      expect([validated.valid, redeemed.status, redeemed.body.key]).toEqual([true, 200, undefined]);
      if (steps) {
        expect(stepsOf(validated.redeemables)).toEqual(steps);
        expect(stepsOf(redeemed.body.redemptions)).toEqual(steps);
      }
      for (const end of [validated.order, redeemed.body.order]) {
        if (total !== undefined) expect(end.total_amount).toBe(total);
        if (lines) expect(linesOf(end)).toEqual(lines);
        if (order) expect(end).toMatchObject(order);
      }
    });
  });

  it('reference 02 §4.5: under AUDIENCE_ONLY the cart of §3.2 is left out, and who is no VIP finds nothing', async () => {
    const { id } = (await created({ ...amount(100), ...vipsThreeMugs })) as { id: string };
    const found = async (customer: object) => {
      const filters = { code: { conditions: { $is: [id] } } };
      const options = { expand: ['validation_rules'], filters };
      const { body } = await scrip.call('POST', '/v1/qualifications', {
        ...{ scenario: 'AUDIENCE_ONLY', customer, order: { amount: 1 }, options },
      });
      return body.redeemables.data.map((one: any) => one.validation_rules_assignments.data[0]);
    };
    const [assignment] = await waitUntil(
      async () => {
        const assignments = await found(vip);
        return assignments.length > 0 && assignments;
      },
      { what: 'the voucher among those that qualify' },
    );
    expect(assignment).toMatchObject({
      validation_status: 'PARTIALLY_VALID',
      validation_omitted_rules: ['2', '3'],
    });
    expect(await found(other)).toEqual([]);
  });
});
