import { Injectable } from '@nestjs/common';
import type { RedeemableKind } from './redeemable-kind';
import { voucherKind } from './voucher-kind';

/** The kinds that can be redeemed, by the name that requests use. */
@Injectable()
export class RedeemableKinds {
  private readonly registered = new Map<RedeemableKind['object'], RedeemableKind>();

  constructor() {
    this.register(voucherKind);
  }

  register<Facts>(kind: RedeemableKind<Facts>): void {
    this.registered.set(kind.object, kind as RedeemableKind);
  }

  /** Null for a kind that no participant serves yet. */
  of(object: RedeemableKind['object']): RedeemableKind | null {
    return this.registered.get(object) ?? null;
  }
}
