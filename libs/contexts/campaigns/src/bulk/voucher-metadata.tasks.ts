import { Injectable } from '@nestjs/common';
import type { Metadata } from '@scrip/contracts/snapshot';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { ItemOutcome, ItemTask } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { MergeMetadata, type VoucherMetadata } from './merge-metadata';

/** Vouchers that one statement changes: each is locked until its chunk is stored. */
const changedAtOnce = 500;

/** Merges into each voucher metadata of its own. Source: reference 04 §5. */
@Injectable()
export class UpdateVouchers implements ItemTask<VoucherMetadata, null, CheckMetadata> {
  readonly kind = 'VOUCHERS.BULK_UPDATE';
  readonly identifiedBy = 'code';
  readonly itemsAtOnce = changedAtOnce;
  readonly preparesEarly = true;

  constructor(
    private readonly vouchers: MergeMetadata,
    private readonly schemas: MetadataSchemas,
  ) {}

  identifierOf({ code }: VoucherMetadata): string {
    return code;
  }

  prepare(context: RequestContext): Promise<CheckMetadata> {
    return this.schemas.checkOf(context, 'voucher');
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    items: readonly VoucherMetadata[],
    _shared: null,
    check: CheckMetadata,
  ): Promise<ItemOutcome[]> {
    return this.vouchers.merge(manager, context, items, check);
  }
}

/** Merges the same metadata into all its vouchers. Source: reference 04 §5. */
@Injectable()
export class UpdateVouchersMetadata implements ItemTask<string, { metadata: Metadata }, CheckMetadata> {
  readonly kind = 'VOUCHERS.METADATA_UPDATE';
  readonly identifiedBy = 'code';
  readonly itemsAtOnce = changedAtOnce;
  readonly preparesEarly = true;

  constructor(
    private readonly vouchers: MergeMetadata,
    private readonly schemas: MetadataSchemas,
  ) {}

  identifierOf(code: string): string {
    return code;
  }

  prepare(context: RequestContext): Promise<CheckMetadata> {
    return this.schemas.checkOf(context, 'voucher');
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    codes: readonly string[],
    { metadata }: { metadata: Metadata },
    check: CheckMetadata,
  ): Promise<ItemOutcome[]> {
    return this.vouchers.merge(
      manager,
      context,
      codes.map((code) => ({ code, metadata })),
      check,
    );
  }
}
