import { Injectable } from '@nestjs/common';
import { type CampaignsPort, type RedeemableVoucher, campaignsPort } from '@scrip/contracts';
import type { Refusal, RequestContext } from '@scrip/kernel';
import { InjectPort, coalesce } from '@scrip/rpc';

interface Wanted {
  context: RequestContext;
  voucher: string;
}

type Found = RedeemableVoucher | Refusal;

/** Loads vouchers by code or id. What is asked for in the same turn of the event loop is one question to campaigns,
 *  each voucher once. */
@Injectable()
export class RedeemableLoader {
  readonly load: (wanted: Wanted) => Promise<Found>;

  constructor(@InjectPort(campaignsPort) private readonly campaigns: CampaignsPort) {
    this.load = coalesce((wanted: readonly Wanted[]) => this.loadBatch(wanted));
  }

  private async loadBatch(wanted: readonly Wanted[]): Promise<Found[]> {
    const found = new Map<string, Found>();
    const keyOf = ({ context, voucher }: Wanted): string => `${context.project.id}\n${voucher}`;
    const projects = new Map<string, { context: RequestContext; vouchers: Set<string> }>();
    for (const { context, voucher } of wanted) {
      const group = projects.get(context.project.id) ?? { context, vouchers: new Set<string>() };
      projects.set(context.project.id, group);
      group.vouchers.add(voucher);
      // Nobody's deadline may cut what others still wait for.
      if (context.deadlineAt > group.context.deadlineAt) group.context = context;
    }
    await Promise.all(
      [...projects.values()].map(async ({ context, vouchers }) => {
        const names = [...vouchers];
        const loaded = await this.campaigns.loadRedeemables(context, { vouchers: names });
        names.forEach((voucher, index) => found.set(keyOf({ context, voucher }), loaded[index]!));
      }),
    );
    return wanted.map((one) => found.get(keyOf(one))!);
  }
}
