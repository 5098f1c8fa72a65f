import type { ItemTaskKind } from '@scrip/contracts/operations';
import type { RequestContext } from '@scrip/kernel';
import type { MetadataSchemas } from '@scrip/metadata';
import type { CheckMetadata, RelatedObject } from '@scrip/metadata-schemas';
import type { EntityManager } from 'typeorm';
import type { ItemOutcome, ItemTask } from '../items/item-task';

/** Changes records named by source id, or creates them. A report tells of each. Source: reference 07 §10. */
export abstract class UpsertTask<Item, Shared = null> implements ItemTask<Item, Shared, CheckMetadata> {
  abstract readonly kind: ItemTaskKind;
  readonly identifiedBy = 'source_id';
  readonly preparesEarly = true;

  /** `schema`: whose metadata the records have. */
  protected constructor(
    private readonly schemas: MetadataSchemas,
    private readonly schema: RelatedObject,
  ) {}

  prepare(context: RequestContext): Promise<CheckMetadata> {
    return this.schemas.checkOf(context, this.schema);
  }

  abstract identifierOf(item: Item): string | null;

  abstract carryOut(
    manager: EntityManager,
    context: RequestContext,
    items: readonly Item[],
    shared: Shared,
    check: CheckMetadata,
  ): Promise<ItemOutcome[]>;
}
