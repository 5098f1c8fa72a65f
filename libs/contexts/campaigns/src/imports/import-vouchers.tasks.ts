import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata, CompiledSchema } from '@scrip/metadata-schemas';
import type { ItemOutcome } from '@scrip/tasks';
import { CsvImportTask, type CsvShared } from '@scrip/tasks/imports';
import type { EntityManager } from 'typeorm';
import { ImportStandalone } from './import-standalone';
import { importedAtOnce, ImportSentVouchers } from './import-sent-vouchers';
import { type RuledImports, RulesOfImports } from './rules-of-imports';
import { ruleField } from './standalone-columns';
import { standaloneOfRow } from './standalone-of-row';
import type { StandaloneVoucher } from './standalone-voucher';

/** What the rows of an import share. */
export interface ImportOfVouchers {
  /** Webhooks tell of each row. */
  notify: boolean;
}

/** Stores standalone vouchers that a call brings. Source: reference 04 §5. */
@Injectable()
export class ImportVouchers extends ImportSentVouchers<StandaloneVoucher, ImportOfVouchers> {
  readonly kind = 'VOUCHERS.IMPORT';

  constructor(
    private readonly vouchers: ImportStandalone,
    schemas: MetadataSchemas,
  ) {
    super(schemas);
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    vouchers: readonly StandaloneVoucher[],
    { notify }: ImportOfVouchers,
    check: CheckMetadata,
  ): Promise<ItemOutcome[]> {
    return this.vouchers.store(manager, context, { vouchers, check, isFile: false, notify });
  }
}

const storesAll = (): null => null;

/** Stores the standalone vouchers of a file. Source: reference 04 §5. */
@Injectable()
export class ImportVoucherFile extends CsvImportTask<
  StandaloneVoucher,
  CsvShared & ImportOfVouchers,
  RuledImports
> {
  readonly kind = 'VOUCHERS.IMPORT_CSV';
  override readonly identifiedBy = 'code';
  readonly itemsAtOnce = importedAtOnce;
  protected readonly recordOf = standaloneOfRow;

  constructor(
    private readonly vouchers: ImportStandalone,
    private readonly rules: RulesOfImports,
    schemas: MetadataSchemas,
  ) {
    super(schemas, { what: 'voucher', schema: 'voucher' });
  }

  protected override async ahead(
    context: RequestContext,
    records: readonly StandaloneVoucher[],
    { shared: { columns, dry_run }, taskId }: { shared: CsvShared; taskId: string },
  ): Promise<RuledImports> {
    const hasRules = columns.some((column) => column && 'field' in column && column.field === ruleField);
    return hasRules ? this.rules.assign(context, taskId, records, { rehearsal: dry_run }) : new Map();
  }

  protected store(
    manager: EntityManager,
    context: RequestContext,
    vouchers: readonly StandaloneVoucher[],
    schema: CompiledSchema | undefined,
    { shared: { notify }, ahead: ruled }: { shared: ImportOfVouchers; ahead: RuledImports | undefined },
  ): Promise<ItemOutcome[]> {
    const check = schema?.check ?? storesAll;
    return this.vouchers.store(manager, context, {
      ...{ vouchers, check, isFile: true, notify },
      ...(ruled && { ruled }),
    });
  }
}
