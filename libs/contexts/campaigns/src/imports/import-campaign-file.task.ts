import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CompiledSchema } from '@scrip/metadata-schemas';
import type { ItemOutcome } from '@scrip/tasks';
import { CsvImportTask, type CsvShared } from '@scrip/tasks/imports';
import type { EntityManager } from 'typeorm';
import { campaignCodeOfRow } from './campaign-code-of-row';
import { ImportCodes } from './import-codes';
import { importedAtOnce } from './import-sent-vouchers';
import type { ImportTarget } from './import-target';
import type { ImportedVoucher } from './imported-voucher';

type Shared = CsvShared & ImportTarget;

const storesAll = (): null => null;

/** Stores the codes of a file in a campaign. Source: reference 04 §4.7. */
@Injectable()
export class ImportCampaignFile extends CsvImportTask<ImportedVoucher, Shared> {
  readonly kind = 'CAMPAIGN.VOUCHERS_IMPORT_CSV';
  override readonly identifiedBy = 'code';
  readonly itemsAtOnce = importedAtOnce;
  protected readonly recordOf = campaignCodeOfRow;

  constructor(
    private readonly codes: ImportCodes,
    schemas: MetadataSchemas,
  ) {
    super(schemas, { what: 'voucher', schema: 'voucher' });
  }

  async conclude(context: RequestContext, taskId: string, { campaign_id }: Shared): Promise<void> {
    await this.codes.conclude(context, campaign_id, taskId);
  }

  protected store(
    manager: EntityManager,
    context: RequestContext,
    vouchers: readonly ImportedVoucher[],
    schema: CompiledSchema | undefined,
    { shared: target, taskId }: { shared: Shared; taskId: string },
  ): Promise<ItemOutcome[]> {
    const check = schema?.check ?? storesAll;
    return this.codes.store(manager, context, { target, taskId, vouchers, check, isFile: true });
  }
}
