import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { ItemOutcome } from '@scrip/tasks';
import type { EntityManager } from 'typeorm';
import { ImportCodes } from './import-codes';
import { ImportSentVouchers } from './import-sent-vouchers';
import type { ImportTarget } from './import-target';
import type { ImportedVoucher } from './imported-voucher';

/** Stores vouchers that a call brings to a campaign. Source: reference 04 §4.7. */
@Injectable()
export class ImportCampaignCodes extends ImportSentVouchers<ImportedVoucher, ImportTarget> {
  readonly kind = 'CAMPAIGN.VOUCHERS_IMPORT';

  constructor(
    private readonly codes: ImportCodes,
    schemas: MetadataSchemas,
  ) {
    super(schemas);
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    vouchers: readonly ImportedVoucher[],
    target: ImportTarget,
    check: CheckMetadata,
    taskId: string,
  ): Promise<ItemOutcome[]> {
    return this.codes.store(manager, context, { target, taskId, vouchers, check });
  }

  conclude(context: RequestContext, taskId: string, { campaign_id }: ImportTarget): Promise<void> {
    return this.codes.conclude(context, campaign_id, taskId);
  }
}
