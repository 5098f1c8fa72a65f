import { Injectable } from '@nestjs/common';
import {
  type CampaignSnapshot,
  type CampaignsPort,
  type RedeemableVoucher,
  type VoucherSnapshot,
  campaignsPort,
} from '@scrip/contracts/campaigns';
import type { Participant } from '@scrip/contracts/claims';
import { type CustomersPort, type OrderSnapshot, customersPort } from '@scrip/contracts/customers';
import { InjectPort } from '@scrip/rpc';

/** What an answer of an owner says in the words of redemptions. `answer`: what a rollback needs to know of it, as the
 *  owner gave it; absent where the rest says everything. */
export interface Explained {
  voucher?: VoucherSnapshot;
  order?: OrderSnapshot;
  /** Credits or points that were taken. */
  amount?: number;
  answer?: unknown;
}

/** An owner of things that redemptions claim. Redeeming, settling and rolling back know owners as this alone.
 *  Source: architecture §8. */
export interface RegisteredParticipant {
  /** Stored with each claim: a name that is in use is never changed. */
  readonly name: string;
  readonly port: Participant;
  /** Reads what a claim or a refund was granted. */
  explain(granted: unknown): Explained;
  /** The campaign in what `load` returns; null where there is none. */
  campaignOf(facts: unknown): CampaignSnapshot | null;
}

const campaigns = (port: CampaignsPort): RegisteredParticipant => ({
  name: 'campaigns',
  port: port as Participant,
  explain: (granted) => ({ voucher: (granted as { voucher: VoucherSnapshot }).voucher }),
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

/** The owners, by the names that claims are stored under. */
@Injectable()
export class Participants {
  private readonly registered = new Map<string, RegisteredParticipant>();

  constructor(
    @InjectPort(campaignsPort) vouchers: CampaignsPort,
    @InjectPort(customersPort) orders: CustomersPort,
  ) {
    this.register(campaigns(vouchers));
    this.register(customers(orders));
  }

  register(participant: RegisteredParticipant): void {
    this.registered.set(participant.name, participant);
  }

  /** Throws for a name that no participant has: a claim of a newer release. */
  named(name: string): RegisteredParticipant {
    const participant = this.registered.get(name);
    if (!participant) throw new Error(`no participant is registered as ${name}`);
    return participant;
  }
}
