import type { DataSource } from 'typeorm';
import type { BatchTable, StoredChunk } from './batch.table';
import { type ErasedName, erasedAmong, namesOfErased } from './erased-name.table';
import { customersNamedBy, isNamed, resultsWithoutErased, withoutErased } from './erased-inputs';

const chunksTogether = 20;
const customersTogether = 500;

type ChunkName = Pick<StoredChunk, 'taskId' | 'position'>;

/** Takes customers that were deleted permanently out of inputs and results of tasks. Chunks of the project are read 20 at a time
 *  and without a lock: which customers a chunk names is fixed when it is stored. They are kept for 30 days at most, and sealed, so
 *  that no index finds anybody in them. Source: reference 07 §10, ADR 107. */
export class TaskErasure {
  constructor(
    private readonly dataSource: DataSource,
    private readonly batches: BatchTable,
  ) {}

  /** Looks through the project's chunks once for all of the customers. Done twice it changes nothing more. */
  async erase(projectId: string, customerIds: readonly string[]): Promise<void> {
    for (let at = 0; at < customerIds.length; at += customersTogether) {
      const names = await namesOfErased(
        this.dataSource,
        projectId,
        customerIds.slice(at, at + customersTogether),
      );
      if (names.length > 0) await this.eraseNames(projectId, names);
    }
  }

  private async eraseNames(projectId: string, erased: readonly ErasedName[]): Promise<void> {
    const names = new Set(erased.map(({ name }) => name));
    const until = new Date(Math.max(...erased.map(({ until: instant }) => instant.getTime())) + 1);
    let after: ChunkName = { taskId: '', position: -1 };
    for (;;) {
      const chunks = await this.batches.chunksAfter({ projectId, until }, after, chunksTogether);
      for (const chunk of chunks)
        if ([...(chunk.inputs ?? []), ...(chunk.results ?? [])].some((one) => isNamed(one.customers, names)))
          await this.eraseFrom(chunk);
      const last = chunks.at(-1);
      if (!last || chunks.length < chunksTogether) return;
      after = last;
    }
  }

  /** Rewrites a chunk under its lock: its task may be carrying it out. */
  private async eraseFrom(found: StoredChunk): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const chunk = await this.batches.lock(manager, found);
      if (!chunk) return;
      const named = customersNamedBy([...(chunk.inputs ?? []), ...(chunk.results ?? [])]);
      const erased = await erasedAmong(manager, chunk, named);
      if (erased.size === 0) return;
      await this.batches.rewrite(manager, chunk, {
        inputs: chunk.inputs && withoutErased(chunk.inputs, erased),
        results: chunk.results && resultsWithoutErased(chunk.results, erased),
      });
    });
  }
}
