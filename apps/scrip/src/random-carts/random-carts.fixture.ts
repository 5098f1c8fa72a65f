import { newId } from '@scrip/kernel';
import type { StackingSettings } from '@scrip/order-calculation';
import { type SharedScrip, sharedScrip } from '@scrip/testing';
import fc from 'fast-check';
import { type CartAnswer, type CreatedOffer, Library, figuresOf } from './library-answer.fixture';
import {
  type Offer,
  type RandomCart,
  carts,
  categories,
  collections,
  idOf,
  offers,
  products,
  stackingRules,
} from './random-offers.fixture';

const offersCount = 60;
/** More than all carts can spend. */
const balance = 1_000_000_000_000;
const callers = 8;

/** Names and the ids that stand for them. */
type Ids = ReadonlyMap<string, string>;

const withIds = <T>(value: T, ids: Ids): T =>
  JSON.parse(
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? (ids.get(one) ?? one) : one)),
  ) as T;

const inTurns = async <T>(list: readonly T[], work: (one: T, index: number) => Promise<void>) => {
  let next = 0;
  const caller = async () => {
    for (let index = next++; index < list.length; index = next++) await work(list[index]!, index);
  };
  await Promise.all(Array.from({ length: callers }, caller));
};

const answerOf = ({
  valid,
  redeemables,
  inapplicable_redeemables,
  skipped_redeemables,
  order,
}: any): CartAnswer => ({
  valid,
  applicable: redeemables
    .filter(({ status }: any) => status === 'APPLICABLE')
    .map((one: any) => [one.id, figuresOf(one.order)]),
  inapplicable: (inapplicable_redeemables ?? []).map((one: any) => [one.id, one.result.error.key]),
  skipped: (skipped_redeemables ?? []).map((one: any) => [one.id, one.result.details.key]),
  order: figuresOf(order),
});

const redeemedOf = ({ redemptions, inapplicable_redeemables, skipped_redeemables, order }: any) => ({
  applicable: redemptions.map((one: any) => [
    one.voucher?.code ?? one.promotion_tier.id,
    figuresOf(one.order),
  ]),
  inapplicable: inapplicable_redeemables.map((one: any) => [one.id, one.result.error.key]),
  skipped: skipped_redeemables.map((one: any) => [one.id, one.result.details.key]),
  order: figuresOf(order),
});

class Project {
  readonly categoryIds = new Map<string, string>();
  private readonly created: CreatedOffer[] = [];
  library!: Library;

  constructor(readonly scrip: SharedScrip) {}

  private ask = (path: string, body: object): Promise<any> => this.scrip.ask('POST', path, body);

  async fill(list: readonly Offer[]): Promise<void> {
    const productIds: Record<string, string> = {};
    for (const [source_id, { price }] of Object.entries(products))
      productIds[source_id] = (await this.ask('/v1/products', { source_id, name: source_id, price })).id;
    const collectionIds = new Map<string, string>();
    for (const name of collections) {
      const held = Object.entries(products).filter(([, of]) =>
        (of.collections as readonly string[]).includes(name),
      );
      const items = held.map(([source_id]) => ({ object: 'product', id: productIds[source_id] }));
      const { id } = await this.ask('/v1/product-collections', { name, type: 'STATIC', products: items });
      collectionIds.set(name, id);
    }
    const named = new Map(collectionIds);
    for (const [source_id, id] of Object.entries(productIds)) named.set(idOf(source_id), id);
    for (const [name, hierarchy] of Object.entries(categories))
      this.categoryIds.set(name, (await this.ask('/v1/categories', { name, hierarchy })).id);
    await inTurns(list, async (offer, place) => {
      this.created[place] = await this.offer(withIds(offer, named));
    });
    const { app_id: apiKeyId } = this.scrip.credentials;
    this.library = new Library({ productIds, collectionIds, apiKeyId }, this.created);
  }

  private async offer({ object, incentive, category, rules }: Offer): Promise<CreatedOffer> {
    const stored: { id: string; body: object }[] = [];
    for (const body of rules) stored.push({ id: (await this.ask('/v1/validation-rules', body)).id, body });
    const validation_rules = stored.map(({ id }) => id);
    const categoryId = category && this.categoryIds.get(category)!;
    const more = { validation_rules, ...(categoryId ? { category_id: categoryId } : {}) };
    const known = {
      ...{ object, rules: stored },
      category: category && categoryId ? { id: categoryId, name: category } : null,
    };
    const gift = 'gift' in incentive ? { amount: balance, ...incentive.gift } : null;
    const calculated = (
      gift ? { gift: { balance, effect: gift.effect } } : incentive
    ) as CreatedOffer['incentive'];
    if (object === 'voucher') {
      const id = newId('CODE-').toUpperCase();
      await this.ask(`/v1/vouchers/${id}`, {
        ...(gift ? { type: 'GIFT_VOUCHER', gift } : { type: 'DISCOUNT_VOUCHER', ...incentive }),
        ...{ redemption: { quantity: null }, ...more },
      });
      return { ...known, id, campaignId: null, incentive: calculated };
    }
    const campaign = await this.ask('/v1/campaigns', {
      ...{ name: newId('Random '), campaign_type: 'PROMOTION', promotion: { tiers: [] } },
    });
    const { id } = await this.ask(`/v1/promotions/${campaign.id}/tiers`, {
      ...{ name: newId('Tier '), action: incentive, ...more },
    });
    return { ...known, id, campaignId: campaign.id, incentive: calculated };
  }

  /** Under these stacking rules, with ids for names of categories. */
  async under(settings: StackingSettings, work: (stored: StackingSettings) => Promise<void>): Promise<void> {
    const stored = withIds(settings, this.categoryIds);
    const path = `/management/v1/projects/${this.scrip.credentials.project_id}/stacking-rules`;
    const { id } = await this.scrip.manage<{ id: string }>('POST', path, stored);
    await work(stored);
    await this.scrip.manage('DELETE', `${path}/${id}`);
  }

  request({ named, order, city, metadata }: RandomCart): object {
    return {
      redeemables: named.map(({ place, credits }) => {
        const { object, id, incentive } = this.created[place]!;
        const isGift = incentive !== null && 'gift' in incentive;
        return { object, id, ...(isGift && credits !== undefined ? { gift: { credits } } : {}) };
      }),
      ...(order ? { order } : {}),
      ...(city ? { customer: { source_id: `random-${city}`, metadata: { city, rate: 15 } } } : {}),
      metadata,
    };
  }
}

/** Sends `count` random carts under several random stacking rules: validations say what the library says, and redemptions of
 *  the same carts come to what the validations said. A failure prints the cart and the seed, which `SCRIP_TEST_SEED` sets. */
export const randomCarts = (count: number, settingsCount: number): void => {
  const seed = Number(process.env.SCRIP_TEST_SEED ?? 20_261_126);
  const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number): T[] =>
    fc.sample(arbitrary, { numRuns, seed });
  let project: Project;

  beforeAll(async () => {
    project = new Project(await sharedScrip());
    await project.fill(sample(offers(offersCount), 1)[0]!);
  }, 240_000);

  const perSettings = Math.ceil(count / settingsCount);
  const all = sample(carts(offersCount), perSettings * settingsCount);
  const seen = { applicable: 0, inapplicable: 0, skipped: 0, valid: 0 };

  it.each(sample(stackingRules, settingsCount).map((settings, index) => [index, settings] as const))(
    `under stacking rules %# of seed ${seed}, ${perSettings} carts come to what the library says, validated and redeemed`,
    async (index, settings) => {
      await project.under(settings, (stored) =>
        inTurns(all.slice(index * perSettings, (index + 1) * perSettings), async (cart) => {
          const body = project.request(cart);
          const where = `seed ${seed}: ${JSON.stringify({ body, settings: stored })}`;
          const validated = await project.scrip.call('POST', '/v1/validations', body);
          const answer = answerOf(
            validated.body.redeemables ? validated.body : { redeemables: [], ...validated.body },
          );
          expect([where, answer]).toEqual([where, project.library.answer(cart, stored)]);
          const redeemed = await project.scrip.call('POST', '/v1/redemptions', body);
          const { valid, ...said } = answer;
          if (valid) expect([where, redeemedOf(redeemed.body)]).toEqual([where, said]);
          else {
            const isPartial = stored.redeemables_application_mode === 'PARTIAL';
            const first = isPartial ? undefined : said.inapplicable[0];
            const key = first?.[1] ?? 'no_applicable_redeemables';
            expect([where, redeemed.body.key]).toEqual([where, key]);
          }
          for (const kind of ['applicable', 'inapplicable', 'skipped'] as const)
            seen[kind] += said[kind].length;
          seen.valid += valid ? 1 : 0;
        }),
      );
    },
    600_000,
  );

  it('the carts meet every outcome', () => {
    for (const often of Object.values(seen)) expect(often).toBeGreaterThan(count / 20);
  });
};
