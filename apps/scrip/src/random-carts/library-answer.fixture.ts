import { isRefused } from '@scrip/kernel';
import {
  Catalogue,
  type OrderItemInput,
  type StackingSettings,
  normaliseOrder,
} from '@scrip/order-calculation';
import { type Candidate, evaluateRequest } from '@scrip/order-preview';
import { type CompiledRule, compileRule } from '@scrip/rules';
import { type RandomCart, categories, products } from './random-offers.fixture';

/** Amounts and quantities of an order, and of its lines. */
export interface Figures {
  readonly [field: string]: number | readonly Readonly<Record<string, number>>[];
}

/** What became of a cart, from the API as from the library. */
export interface CartAnswer {
  readonly valid: boolean;
  /** Ids, and the order right after each. */
  readonly applicable: readonly (readonly [id: string, order: Figures | null])[];
  /** Ids and keys. */
  readonly inapplicable: readonly (readonly [id: string, key: string])[];
  readonly skipped: readonly (readonly [id: string, key: string])[];
  /** After all of them; null: it is not shown. */
  readonly order: Figures | null;
}

const numbersIn = (value: object): Record<string, number> =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => typeof field === 'number')) as Record<
    string,
    number
  >;

export const figuresOf = (order: object | null | undefined): Figures | null =>
  order ? { ...numbersIn(order), items: ((order as { items?: object[] }).items ?? []).map(numbersIn) } : null;

/** An offer as the project has it: its id, its incentive and rules with ids instead of names. */
export interface CreatedOffer {
  readonly object: 'voucher' | 'promotion_tier';
  readonly id: string;
  readonly campaignId: string | null;
  readonly incentive: Candidate['redeemable']['incentive'];
  readonly category: { readonly id: string; readonly name: keyof typeof categories } | null;
  readonly rules: readonly { readonly id: string; readonly body: object }[];
}

/** What the project has besides. `productIds`: by source id; `collectionIds`: by name; `ruleCaller`: the calling key. */
export interface CreatedProject {
  readonly productIds: Readonly<Record<string, string>>;
  readonly collectionIds: ReadonlyMap<string, string>;
  readonly apiKeyId: string;
}

const compiled = ({ id, body }: CreatedOffer['rules'][number]): CompiledRule => {
  const rule = compileRule(body, id);
  if (isRefused(rule)) throw new Error(rule.details);
  return rule;
};

/** The library with what a project has. */
export class Library {
  private readonly catalogue: Catalogue;
  private readonly rules = new Map<CreatedOffer, readonly CompiledRule[]>();

  constructor(
    private readonly project: CreatedProject,
    private readonly offers: readonly CreatedOffer[],
  ) {
    this.catalogue = new Catalogue({
      products: Object.entries(products).map(([source_id, { price, collections }]) => ({
        ...{ id: project.productIds[source_id]!, source_id, name: source_id, price, metadata: {} },
        collections: collections.map((name) => project.collectionIds.get(name)!),
      })),
    });
    for (const offer of offers) this.rules.set(offer, offer.rules.map(compiled));
  }

  answer({ named, order, city, metadata }: RandomCart, settings: StackingSettings): CartAnswer {
    const state =
      order && normaliseOrder(order as { items?: OrderItemInput[] }, null, '', { catalogue: this.catalogue });
    if (isRefused(state)) throw new Error(state.details);
    const customer = city && { city, rate: 15 };
    const calculation = evaluateRequest({
      order: state,
      requested: named.map(({ place, credits }) => this.candidateOf(this.offers[place]!, credits)),
      settings,
      customer: customer && { segments: [], tiers: [], metadata: customer },
      redemption: { metadata, apiKeyId: this.project.apiKeyId, userLogin: null },
      orderMetadata: order?.metadata ?? {},
      messages: {},
      context: {
        ...{ now: new Date(), timezone: 'UTC', catalogue: this.catalogue, unitsUsed: () => 0 },
        facts: {
          customer: customer && { metadata: customer, birthdate: null },
          redemptionMetadata: metadata,
          orderMetadata: order?.metadata ?? {},
        },
      },
    });
    const { valid, redeemables } = calculation;
    return {
      valid,
      applicable: redeemables.flatMap((one) =>
        one.status === 'APPLICABLE' ? [[one.id, figuresOf(one.order)] as const] : [],
      ),
      inapplicable: redeemables.flatMap((one) =>
        one.status === 'INAPPLICABLE' ? [[one.id, one.refusal.refused] as const] : [],
      ),
      skipped: redeemables.flatMap((one) =>
        one.status === 'SKIPPED' ? [[one.id, one.reason as string] as const] : [],
      ),
      order: valid ? figuresOf(calculation.order) : null,
    };
  }

  private candidateOf(offer: CreatedOffer, credits: number | undefined): Candidate {
    const { object, id, campaignId, incentive, category } = offer;
    const gift = incentive && 'gift' in incentive ? incentive.gift : null;
    return {
      redeemable: {
        ...{ object, id },
        ...(campaignId ? { campaignId } : {}),
        incentive: gift ? { gift: { ...gift, ...(credits === undefined ? {} : { credits }) } } : incentive,
        categories: category ? [{ id: category.id, hierarchy: categories[category.name] }] : [],
        facts: { redeemableMetadata: {} },
      },
      rules: this.rules.get(offer)!,
      label: gift ? 'Gift Card' : object === 'voucher' ? 'Discount Coupon' : 'Promotion Tier',
      ...{ unusable: null, isHeld: false, counted: () => 0 },
    };
  }
}
