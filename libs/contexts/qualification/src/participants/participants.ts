import { Injectable } from '@nestjs/common';
import {
  type CampaignSnapshot,
  type CampaignsPort,
  type GiftTransaction,
  type GrantedVoucher,
  type RedeemableVoucher,
  type VoucherAnswer,
  type VoucherSnapshot,
  campaignsPort,
} from '@scrip/contracts/campaigns';
import type { HoldingOwner, Participant, RedeemableSource } from '@scrip/contracts/claims';
import { type CustomersPort, type OrderSnapshot, customersPort } from '@scrip/contracts/customers';
import { type PromotionsPort, type RedeemablePromotion, promotionsPort } from '@scrip/contracts/promotions';
import { InjectPort } from '@scrip/rpc';

/** What an answer of an owner says in the words of redemptions. `answer`: what a rollback needs to know of it, as the
 *  owner gave it; absent where the rest says everything. */
export interface Explained {
  voucher?: VoucherSnapshot;
  order?: OrderSnapshot;
  /** Credits or points that were taken. */
  amount?: number;
  /** Of the credits that moved. */
  transaction?: GiftTransaction;
  answer?: unknown;
  /** What the session of the request held was used up. */
  hold?: true;
}

/** An owner of things that redemptions use. One that is this alone promises nothing, and is never told how a redemption ended.
 *  Source: architecture §8. */
export interface RegisteredSource {
  readonly name: string;
  readonly port: RedeemableSource;
  /** The campaign in what `load` returns; null where there is none. */
  campaignOf(facts: unknown): CampaignSnapshot | null;
}

/** An owner of things that redemptions claim. Redeeming, settling and rolling back know owners as this alone. `name`: stored
 *  with each claim; one that is in use is never changed. Source: architecture §8. */
export interface RegisteredParticipant extends RegisteredSource {
  readonly port: Participant;
  /** Reads what a claim or a refund was granted. */
  explain(granted: unknown): Explained;
}

/** What a gift card gave or got back; its transaction is kept with the redemption. */
const explainVoucher = ({ voucher, transaction, hold }: GrantedVoucher): Explained => {
  const used = hold ? { hold } : {};
  if (!transaction) return { voucher, ...used };
  const answer: VoucherAnswer = { transaction };
  return { voucher, amount: -transaction.amount, transaction, answer, ...used };
};

const campaigns = (port: CampaignsPort): RegisteredParticipant => ({
  name: 'campaigns',
  port: port as Participant,
  explain: (granted) => explainVoucher(granted as GrantedVoucher),
  campaignOf: (facts) => (facts as RedeemableVoucher).campaign,
});

/** The owner of orders: an order is claimed like any other object. */
export const orderParticipant = 'customers';

const customers = (port: CustomersPort): RegisteredParticipant => ({
  name: orderParticipant,
  port: port as Participant,
  explain: (granted) => ({ order: (granted as { order: OrderSnapshot }).order }),
  campaignOf: () => null,
});

const promotions = (port: PromotionsPort): RegisteredSource => ({
  name: 'promotions',
  port: port as RedeemableSource,
  campaignOf: (facts) => (facts as RedeemablePromotion).campaign,
});

/** Groups what is asked of owners by their registered names. */
export const byParticipant = <Asked extends { participant: string }>(
  all: readonly Asked[],
): [string, Asked[]][] => {
  const groups = new Map<string, Asked[]>();
  for (const one of all) groups.set(one.participant, [...(groups.get(one.participant) ?? []), one]);
  return [...groups];
};

/** The owners, by the names that claims are stored under. */
@Injectable()
export class Participants {
  private readonly registered = new Map<string, RegisteredParticipant>();
  private readonly sources = new Map<string, RegisteredSource>();
  private readonly vouchers: HoldingOwner;

  constructor(
    @InjectPort(campaignsPort) vouchers: CampaignsPort,
    @InjectPort(customersPort) orders: CustomersPort,
    @InjectPort(promotionsPort) tiers: PromotionsPort,
  ) {
    this.register(campaigns(vouchers));
    this.vouchers = vouchers;
    this.register(customers(orders));
    this.registerSource(promotions(tiers));
  }

  register(participant: RegisteredParticipant): void {
    this.registered.set(participant.name, participant);
    this.registerSource(participant);
  }

  registerSource(source: RegisteredSource): void {
    this.sources.set(source.name, source);
  }

  /** Where redeemables are loaded. Throws for a name that nothing has. */
  source(name: string): RegisteredSource {
    const source = this.sources.get(name);
    if (!source) throw new Error(`nothing is registered as ${name}`);
    return source;
  }

  /** Those whose objects sessions can hold. */
  holding(): { name: string; port: HoldingOwner }[] {
    return [{ name: 'campaigns', port: this.vouchers }];
  }

  /** Throws for a name that no participant has: a claim of a newer release. */
  named(name: string): RegisteredParticipant {
    const participant = this.registered.get(name);
    if (!participant) throw new Error(`no participant is registered as ${name}`);
    return participant;
  }
}
