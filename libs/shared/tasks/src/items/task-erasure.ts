import type { ItemResult } from '@scrip/contracts/operations';
import type { DataSource, EntityManager } from 'typeorm';
import type { BatchTable, StoredChunk } from './batch.table';
import { type ItemTask, shownIdentifier, type TaskInput } from './item-task';

const chunksTogether = 20;

/** A customer that was deleted permanently. */
export interface ErasedName {
  projectId: string;
  sourceId: string;
  /** Whether inputs that wait for it are dropped too: where no other customer can have the source id by now. */
  inputsToo: boolean;
}

type ChunkName = Pick<StoredChunk, 'taskId' | 'position'>;

/** Takes customers that were deleted permanently out of inputs and results of tasks, which name them by source id. All chunks of
 *  the project's tasks about customers are looked through, 20 in a transaction: they are kept for 30 days at most, and sealed, so
 *  that no index finds anybody in them. Source: reference 07 §10. */
export class TaskErasure {
  constructor(
    private readonly dataSource: DataSource,
    private readonly batches: BatchTable,
    private readonly kinds: readonly ItemTask[],
  ) {}

  /** Done twice it changes nothing more. */
  async erase(name: ErasedName): Promise<void> {
    let from: ChunkName = { taskId: '', position: -1 };
    for (;;) {
      const last: ChunkName | undefined = await this.dataSource.transaction((manager) =>
        this.erasePage(manager, name, from),
      );
      if (!last) return;
      from = last;
    }
  }

  /** Returns the chunk to go on behind. */
  private async erasePage(
    manager: EntityManager,
    name: ErasedName,
    after: ChunkName,
  ): Promise<StoredChunk | undefined> {
    const kinds = this.kinds.filter(({ namesCustomers }) => namesCustomers).map(({ kind }) => kind);
    const chunks = await this.batches.lockAfter(
      manager,
      { projectId: name.projectId, kinds },
      after,
      chunksTogether,
    );
    for (const chunk of chunks) {
      const task = this.kinds.find(({ kind }) => kind === chunk.kind);
      const inputs = name.inputsToo && task ? withoutInputs(chunk.inputs, name, task) : null;
      const results = withoutResults(chunk.results, name);
      if (inputs ?? results) await this.batches.rewrite(manager, chunk, { inputs, results });
    }
    return chunks.length < chunksTogether ? undefined : chunks.at(-1);
  }
}

const gone = {
  key: 'not_found',
  message: 'Resource not found',
  details: 'The customer was deleted permanently meanwhile',
};

/** The inputs where some name the customer, changed; else null. */
const withoutInputs = (
  inputs: readonly TaskInput<unknown>[] | null,
  { sourceId }: ErasedName,
  task: ItemTask,
): TaskInput<unknown>[] | null => {
  const names = (input: TaskInput<unknown>): boolean =>
    ('item' in input ? task.identifierOf(input.item) : input.identifier) === sourceId;
  if (!inputs?.some(names)) return null;
  return inputs.map((input) =>
    names(input)
      ? { ...(input.row === undefined ? {} : { row: input.row }), identifier: null, failure: gone }
      : input,
  );
};

/** The results where some name the customer, changed; else null. */
const withoutResults = (
  results: readonly ItemResult[] | null,
  { sourceId }: ErasedName,
): ItemResult[] | null => {
  const shown = shownIdentifier(sourceId);
  if (!results?.some(({ identifier }) => identifier === shown)) return null;
  return results.map((result) =>
    result.identifier === shown
      ? {
          ...result,
          identifier: null,
          ...(result.failure ? { failure: { ...result.failure, details: '' } } : {}),
        }
      : result,
  );
};
