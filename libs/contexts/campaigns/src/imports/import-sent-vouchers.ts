import type { RequestContext } from '@scrip/kernel';
import type { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { ItemOutcome, ItemTask } from '@scrip/tasks';
import { importMessage } from '@scrip/tasks/imports';
import type { EntityManager } from 'typeorm';

/** Codes that one statement stores: what a transaction costs besides is paid a hundred times for 100,000 codes. */
export const importedAtOnce = 1_000;

/** Stores vouchers that a call brings as JSON: each is told by its code, and its metadata follow the schema of vouchers.
 *  Source: reference 04 §4.7, §5. */
export abstract class ImportSentVouchers<
  Voucher extends { code: string },
  Shared extends object,
> implements ItemTask<Voucher, Shared, CheckMetadata> {
  abstract readonly kind: ItemTask<Voucher, Shared, CheckMetadata>['kind'];
  readonly identifiedBy = 'code';
  readonly itemsAtOnce = importedAtOnce;
  readonly preparesEarly = true;

  constructor(private readonly schemas: MetadataSchemas) {}

  identifierOf({ code }: Voucher): string {
    return code;
  }

  messageOf(done: number, failed: number): string {
    return importMessage('voucher')(done, failed, { dry_run: false });
  }

  prepare(context: RequestContext): Promise<CheckMetadata> {
    return this.schemas.checkOf(context, 'voucher');
  }

  /** Stores some of them in the transaction of `manager`. Returns an outcome for each. */
  abstract carryOut(
    manager: EntityManager,
    context: RequestContext,
    vouchers: readonly Voucher[],
    shared: Shared,
    check: CheckMetadata,
    taskId: string,
  ): Promise<ItemOutcome[]>;
}
