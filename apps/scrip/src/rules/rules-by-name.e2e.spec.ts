import { operatorNames, ruleNames } from '@scrip/rules';
import { newId } from '@scrip/kernel';
import { type SharedScrip, sharedScrip, untilTheHourLasts } from '@scrip/testing';
import { type SignedInMember, signedInMember } from '../management/signed-in-member.fixture';
import {
  definitions,
  evaluatedAt,
  metadataRules,
  metadataThat,
  operatorRules,
  operatorValues,
  parcel,
} from './rule-metadata.fixture';
import {
  customerAndOrderRules,
  giftRules,
  kitchen,
  limitRules,
  member,
  memberRules,
  metRequest,
  mugById,
  ownKey,
  redPotById,
  structureRules,
  unmetRequest,
  vips,
} from './rule-names.fixture';
import { leavesOf, type PlacedLeaf, type RuleRow, rulesOf } from './rule-row.fixture';

/** Tables, each one validation rule of the code. */
const tables: Readonly<Record<string, readonly RuleRow[]>> = {
  '02 §3.1': customerAndOrderRules,
  '02 §3.2': structureRules,
  '02 §2': operatorRules,
  ...metadataRules,
};

const casesOf = (rows: readonly RuleRow[]) => leavesOf(rows).map((leaf) => [leaf.title, leaf] as const);

describe('rules by their names and the types of what they look at (reference 02 §2, §3)', () => {
  let scrip: SharedScrip;
  /** What stands for ids in the tables, and the ids. */
  const ids = new Map<string, string>();
  /** Ids of validation rules by the name of their table. */
  const rules = new Map<string, string>();
  const code = newId('CODE-').toUpperCase();
  const card = newId('CARD-').toUpperCase();
  const memberCode = newId('MEMBER-').toUpperCase();

  type Explained = { validation_rule_id: string; path: string; name: string; verdict: string }[];
  /** The rules of the code and the card as they were explained for each request. */
  let atMet: Explained;
  let atUnmet: Explained;
  let before: Explained;
  let after: Explained;
  let beforeMember: Explained;
  let afterMember: Explained;

  const ask = <Body = any>(path: string, body: object): Promise<Body> =>
    scrip.ask<Body>('POST', path, withIds(body));
  const withIds = (value: object): object =>
    JSON.parse(JSON.stringify(value), (_, one: unknown) =>
      typeof one === 'string' ? (ids.get(one) ?? one) : one,
    );

  const requestOf = (
    { customer, redemption, order, items }: typeof metRequest,
    source_id: string,
    is: 'met' | 'unmet',
  ) => {
    const typed = metadataThat(is);
    return {
      customer: { source_id, metadata: { ...typed, ...customer } },
      metadata: { ...typed, ...redemption },
      order: {
        items: items.map((item) => ({
          ...item,
          metadata: { ...typed, ...item.metadata },
          [item.related_object]: { metadata: typed },
        })),
        metadata: { ...typed, ...operatorValues[is], ...order },
      },
    };
  };
  const met = requestOf(metRequest, 'named-vip', 'met');
  const unmet = requestOf(unmetRequest, 'named-other', 'unmet');
  const coupon = { object: 'voucher', id: code };
  const ofMember = { object: 'voucher', id: memberCode };
  const gift = { object: 'voucher', id: card, gift: { credits: 300 } };

  const explained = async (redeemable: object, request: object, at?: string): Promise<Explained> => {
    const { redeemables } = await ask('/v1/explanations', { redeemables: [redeemable], ...request, at });
    return redeemables[0].rules;
  };
  const explainedTo = async (ann: SignedInMember): Promise<Explained> => {
    const { redeemables } = await ann.ask<any>('POST', '/v1/explanations', {
      redeemables: [ofMember],
      ...met,
    });
    return redeemables[0].rules;
  };
  const verdictOf = (of: Explained, table: string, path: string): string | undefined =>
    of.find((one) => one.validation_rule_id === rules.get(table) && one.path === path)?.verdict;

  const createRecords = async () => {
    const schemas = `/management/v1/projects/${scrip.credentials.project_id}/metadata-schemas`;
    await scrip.manage('POST', schemas, { related_object: 'parcel', properties: parcel });
    for (const related_object of ['customer', 'order', 'order_item', 'product', 'redemption'])
      await scrip.manage('POST', schemas, { related_object, properties: definitions });
    const stored = (source_id: string, colour: string) =>
      ask('/v1/products', { source_id, name: source_id, metadata: { colour } });
    const [mug, pot] = [await stored('mug', 'red'), await stored('pot', 'red'), await stored('cup', 'blue')];
    const red = await ask(`/v1/products/${pot.id}/skus`, { source_id: 'pot-red', sku: 'pot-red' });
    ids.set(mugById, mug.id).set(redPotById, red.id);
    const products = [mug, pot].map(({ id }) => ({ object: 'product', id: id as string }));
    const { id: collection } = await ask('/v1/product-collections', {
      ...{ name: 'Kitchen', type: 'STATIC', products },
    });
    const { id: segment } = await ask('/v1/segments', {
      ...{ name: 'VIPs', type: 'auto-update' },
      filter: { 'metadata.tier': { conditions: { $is: ['VIP'] } } },
    });
    ids.set(kitchen, collection).set(vips, segment).set(ownKey, scrip.credentials.app_id);
  };

  const newRule = async (table: string, rows: readonly RuleRow[], voucher: string) => {
    const { id } = await ask('/v1/validation-rules', { name: newId('Rule '), rules: rulesOf(rows) });
    rules.set(table, id);
    await ask(`/v1/validation-rules/${id}/assignments`, {
      ...{ related_object_type: 'voucher', related_object_id: voucher },
    });
  };

  beforeAll(async () => {
    scrip = await sharedScrip();
    await scrip.manage('PUT', `/management/v1/projects/${scrip.credentials.project_id}`, {
      timezone: 'Europe/Warsaw',
    });
    await createRecords();
    // Of the order, whatever rules join to its scope.
    const discount = { type: 'AMOUNT', amount_off: 500 };
    const campaign = await ask('/v1/campaigns', {
      ...{ name: newId('Campaign '), campaign_type: 'DISCOUNT_COUPONS' },
      voucher: {
        type: 'DISCOUNT_VOUCHER',
        discount: { ...discount, effect: 'APPLY_TO_ORDER' },
        redemption: {},
      },
    });
    await ask(`/v1/campaigns/${campaign.id}/vouchers/${code}`, { redemption: { quantity: null } });
    await ask(`/v1/vouchers/${card}`, { type: 'GIFT_VOUCHER', gift: { amount: 1_000 } });
    await ask('/v1/publications', { voucher: code, customer: { source_id: 'named-vip' } });
    const ann = await signedInMember(scrip, 'ADMIN');
    ids.set(member, ann.login);
    await ask(`/v1/vouchers/${memberCode}`, { type: 'DISCOUNT_VOUCHER', discount });
    for (const [table, rows] of Object.entries({ ...tables, limits: limitRules }))
      await newRule(table, rows, code);
    await newRule('gift', giftRules, card);
    await newRule('member', memberRules, memberCode);
    atMet = await explained(coupon, met, evaluatedAt);
    atUnmet = await explained(coupon, unmet, evaluatedAt);
    const bothNow = async () => [...(await explained(coupon, met)), ...(await explained(gift, met))];
    // All of it on one day, in one week and in one month.
    await untilTheHourLasts(30_000);
    before = await bothNow();
    await ask('/v1/redemptions', { redeemables: [coupon, gift], ...met });
    after = await bothNow();
    beforeMember = await explainedTo(ann);
    await ann.ask('POST', '/v1/redemptions', { redeemables: [ofMember], ...met });
    afterMember = await explainedTo(ann);
  }, 240_000);

  describe.each(Object.entries(tables))('%s', (table, rows) => {
    it.each(casesOf(rows))('%s', (_, { path, verdicts }: PlacedLeaf) => {
      expect([verdictOf(atMet, table, path), verdictOf(atUnmet, table, path)]).toEqual(verdicts);
    });
  });

  it.each(casesOf(limitRules))('02 §3.3: %s', (_, { path, verdicts }: PlacedLeaf) => {
    expect([verdictOf(before, 'limits', path), verdictOf(after, 'limits', path)]).toEqual(verdicts);
  });

  it.each(casesOf(giftRules))('02 §3.3: %s', (_, { path, verdicts }: PlacedLeaf) => {
    expect([verdictOf(before, 'gift', path), verdictOf(after, 'gift', path)]).toEqual(verdicts);
  });

  it.each(casesOf(memberRules))('called by a member of the team: %s', (_, { path, verdicts }: PlacedLeaf) => {
    expect([verdictOf(beforeMember, 'member', path), verdictOf(afterMember, 'member', path)]).toEqual(
      verdicts,
    );
  });

  it('decide: what meets none of them is refused for its customer, and names the rules', async () => {
    const { valid, redeemables } = await ask('/v1/validations', { redeemables: [coupon], ...unmet });
    const { key, details } = redeemables[0].result.error;
    expect([valid, key]).toEqual([false, 'customer_rules_violated']);
    expect(details).toContain(rules.get('customer.metadata'));
  });

  it('are here with all their names and operators', () => {
    const all = Object.values({ ...tables, limits: limitRules, gift: giftRules, member: memberRules }).flat();
    const leaves = all.flatMap((row) => [row, ...(row.below ?? [])]);
    expect([...new Set(leaves.map(({ name }) => name))].sort()).toEqual([...ruleNames].sort());
    const operators = leaves.flatMap(({ conditions }) => Object.keys(conditions));
    expect([...new Set(operators)].sort()).toEqual([...operatorNames].sort());
  });
});
