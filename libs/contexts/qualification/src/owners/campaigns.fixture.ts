import type {
  CampaignsPort,
  GrantedVoucher,
  RedeemableVoucher,
  VoucherSnapshot,
} from '@scrip/contracts/campaigns';
import type { Claimed, HoldRequest, ObjectVerdict, Refunded } from '@scrip/contracts/claims';
import { refuse } from '@scrip/kernel';
import { quantityAllows } from '@scrip/vouchers';
import { abandoned, copied, FakeClaims } from './claims.fixture';

type ClaimedVoucher = Claimed<GrantedVoucher, RedeemableVoucher>;

/** Vouchers with uses to claim. */
export class FakeCampaigns implements CampaignsPort {
  readonly claims = new FakeClaims();
  readonly vouchers = new Map<string, RedeemableVoucher>();

  add(...vouchers: RedeemableVoucher[]): void {
    for (const found of vouchers) this.vouchers.set(found.voucher.id, found);
  }

  redeemed(code: string): number {
    return this.find(code)!.voucher.redemption.redeemed_quantity;
  }

  listBinEntries: CampaignsPort['listBinEntries'] = async () => [];

  purgeBinEntry: CampaignsPort['purgeBinEntry'] = async (_, { id }) => refuse('not_found', id);

  checkExport: CampaignsPort['checkExport'] = async () => ({ fits: true });

  writeExport: CampaignsPort['writeExport'] = async () => ({ rows: 0 });

  chooseCategory: CampaignsPort['chooseCategory'] = async () => ({ category: null });

  loadCategories: CampaignsPort['loadCategories'] = async () => ({ categories: [] });

  /** Ids of what does not exist and never will. */
  readonly gone = new Set<string>();

  resolveRuledObjects: CampaignsPort['resolveRuledObjects'] = async (_, { objects }) => ({
    gone: objects.flatMap(({ id }) => (this.gone.has(id) ? [id] : [])),
  });

  loadCampaigns: CampaignsPort['loadCampaigns'] = async (_, { campaigns }) =>
    campaigns.map((named) => {
      const all = [...this.vouchers.values()].flatMap(({ campaign }) => campaign ?? []);
      return all.find(({ id, name }) => id === named || name === named) ?? null;
    });

  loadQualifying: CampaignsPort['loadQualifying'] = async (_, { objects }) => {
    const all = [...this.vouchers.values()];
    const known = new Map(
      all.flatMap(({ campaign }) => (campaign ? [[campaign.id, campaign] as const] : [])),
    );
    return copied(
      objects.map(({ type, id }) => {
        if (type === 'voucher') {
          const found = this.vouchers.get(id);
          return found ? this.asSeenBy(found) : null;
        }
        const campaign = known.get(id);
        return campaign ? { campaign } : null;
      }),
    );
  };

  listHeld: CampaignsPort['listHeld'] = async () => ({ held: [], next: null });

  load: CampaignsPort['load'] = async (_, { objects, session }) =>
    copied(
      objects.map((named) => {
        const found = this.find(named);
        return found ? this.asSeenBy(found, session) : refuse('not_found', named);
      }),
    );

  /** What sessions hold, by voucher and session. Nothing expires here. */
  readonly holds = new Map<string, Map<string, HoldRequest>>();

  hold: CampaignsPort['hold'] = async (_, request) => {
    const { session, objects } = request;
    const refused = objects.flatMap(({ object_id }) => {
      const found = this.asSeenBy(this.vouchers.get(object_id)!, session);
      const refusal = quantityAllows(found.voucher, found.held?.uses);
      return refusal ? [{ object_id, refusal, facts: copied(found) }] : [];
    });
    if (refused.length > 0) return { refused };
    for (const held of this.holds.values()) held.delete(session);
    for (const { object_id } of objects)
      this.holds.set(object_id, (this.holds.get(object_id) ?? new Map()).set(session, request));
    return { refused };
  };

  private asSeenBy(found: RedeemableVoucher, session?: string): RedeemableVoucher {
    const others = [...(this.holds.get(found.voucher.id) ?? [])].filter(([key]) => key !== session);
    const credits = others.flatMap(([, { objects }]) =>
      objects.flatMap(({ object_id, asks }) => (object_id === found.voucher.id ? (asks.credits ?? 0) : [])),
    );
    const held = { uses: others.length, credits: credits.reduce((sum, one) => sum + one, 0) };
    return others.length > 0 ? { ...found, held } : found;
  }

  claim: CampaignsPort['claim'] = async (_, { redemption_id, claims }) =>
    claims.map(({ claim_id, object_id, asks, replaces = [] }): ClaimedVoucher => {
      const found = this.asSeenBy(this.vouchers.get(object_id)!, asks.hold?.session);
      this.revert(replaces.map((replaced) => ({ redemption_id, claim_id: replaced, object_id })));
      if (this.claims.rows.get(claim_id)?.state === 'REVERTED')
        return { claim_id, refusal: abandoned(claim_id), facts: null };
      const refusal = quantityAllows(found.voucher, found.held?.uses);
      if (refusal) return { claim_id, refusal, facts: copied(found) };
      const hold = this.holds.get(object_id)?.delete(asks.hold?.session ?? '');
      this.claims.rows.set(claim_id, { redemption_id, object_id, state: 'PROVISIONAL' });
      this.change(object_id, 1);
      return {
        claim_id,
        granted: { voucher: copied(found.voucher), ...(hold ? { hold: true as const } : {}) },
      };
    });

  settle: CampaignsPort['settle'] = async (_, { verdicts }) => {
    for (const { object_id } of this.claims.settle(verdicts)) this.change(object_id, -1);
    return null;
  };

  refund: CampaignsPort['refund'] = async (_, { claims }) =>
    claims.map(({ claim_id, object_id }): Refunded<{ voucher: VoucherSnapshot }> => {
      const row = this.claims.rows.get(claim_id);
      if (row?.state !== 'CONFIRMED' && row?.state !== 'REFUNDED')
        return { claim_id, refusal: abandoned(claim_id) };
      if (row.state === 'CONFIRMED') this.change(object_id, -1);
      row.state = 'REFUNDED';
      return { claim_id, granted: { voucher: copied(this.vouchers.get(object_id)!.voucher) } };
    });

  loadAsyncAction: CampaignsPort['loadAsyncAction'] = async (_, { id }) => refuse('not_found', id);

  readTaskReport: CampaignsPort['readTaskReport'] = async (_, { id }) => refuse('not_found', id);

  loadPromotion: CampaignsPort['loadPromotion'] = async (_, { campaign }) => refuse('not_found', campaign);

  private find(named: string): RedeemableVoucher | undefined {
    return (
      this.vouchers.get(named) ?? [...this.vouchers.values()].find(({ voucher }) => voucher.code === named)
    );
  }

  private revert(claims: Omit<ObjectVerdict, 'verdict'>[]): void {
    const verdicts = claims.map((claim) => ({ ...claim, verdict: 'ABANDONED' as const }));
    void this.settle({} as never, { verdicts });
  }

  private change(voucherId: string, by: number): void {
    this.vouchers.get(voucherId)!.voucher.redemption.redeemed_quantity += by;
  }
}
