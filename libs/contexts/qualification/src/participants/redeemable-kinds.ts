import { Injectable } from '@nestjs/common';
import type { RedeemableKind, StackKind } from './redeemable-kind';
import { stackKind, tierKind } from './tier-kind';
import { voucherKind } from './voucher-kind';

type Kind = RedeemableKind | StackKind;

/** The kinds that can be redeemed, by the name that requests use. */
@Injectable()
export class RedeemableKinds {
  private readonly registered = new Map<Kind['object'], Kind>();

  constructor() {
    this.register(voucherKind);
    this.register(tierKind);
    this.register(stackKind);
  }

  register<Facts>(kind: RedeemableKind<Facts> | StackKind<Facts>): void {
    this.registered.set(kind.object, kind as Kind);
  }

  /** Null for a kind that is not registered. */
  of(object: Kind['object']): Kind | null {
    return this.registered.get(object) ?? null;
  }
}
