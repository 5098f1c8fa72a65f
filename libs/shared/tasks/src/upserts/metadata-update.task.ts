import type { Metadata } from '@scrip/contracts/snapshot';
import type { RequestContext } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { EntityManager } from 'typeorm';
import type { ItemOutcome } from '../items/item-task';
import { UpsertTask } from './upsert.task';

/** Metadata to merge into a record. */
export interface RecordMetadata {
  source_id: string;
  metadata: Metadata;
}

/** Merges the same metadata into records named by source id, or creates them with it; a subclass stores them.
 *  Source: reference 07 §10. */
export abstract class MetadataUpdateTask extends UpsertTask<string, { metadata: Metadata }> {
  identifierOf(sourceId: string): string {
    return sourceId;
  }

  carryOut(
    manager: EntityManager,
    context: RequestContext,
    sourceIds: readonly string[],
    { metadata }: { metadata: Metadata },
    check: CheckMetadata,
  ): Promise<ItemOutcome[]> {
    return this.store(
      manager,
      context,
      sourceIds.map((source_id) => ({ source_id, metadata })),
      check,
    );
  }

  /** As `UpsertTask.carryOut`. */
  protected abstract store(
    manager: EntityManager,
    context: RequestContext,
    records: readonly RecordMetadata[],
    check: CheckMetadata,
  ): Promise<ItemOutcome[]>;
}
