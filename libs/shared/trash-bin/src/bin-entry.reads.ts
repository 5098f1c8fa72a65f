import type { BinEntriesWanted, BinEntry } from '@scrip/contracts/operations';
import { runQuery } from '@scrip/event-store';
import { isRefused, notFound, type Refusal, type RequestContext } from '@scrip/kernel';
import type { ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { binEntryListStatement } from './bin-entry-list.query';

type Row = Omit<BinEntry, 'created_at'> & { created_at: Date };

/** Reads the bin of a context. */
export class BinEntryReads {
  constructor(
    private readonly dataSource: DataSource,
    private readonly lists: ListReader,
  ) {}

  /** See `TrashBinPort.listBinEntries`. */
  async list(
    context: RequestContext,
    wanted: BinEntriesWanted,
  ): Promise<BinEntry[] | Refusal<'invalid_query_params'>> {
    const statement = binEntryListStatement(context.project.id, wanted);
    if (isRefused(statement)) return statement;
    const rows = await this.lists.rows<Row>(context, statement);
    return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  }

  /** The answer of a creation; the refusal of a name or code that something in the bin has says so. Looks only where it was refused. */
  async telling<Answer>({ project }: RequestContext, answer: Answer): Promise<Answer> {
    if (!isRefused(answer) || answer.refused !== 'duplicate_found') return answer;
    const [entry] = await runQuery<{ id: string }>(
      this.dataSource,
      `SELECT id FROM bin_entries WHERE project_id = $1 AND resource_name = $2 AND resource_type = $3 ORDER BY id LIMIT 1`,
      [project.id, answer.resourceId, answer.resourceType],
    );
    return entry
      ? {
          ...answer,
          details: `${answer.details}. It lies in the trash bin: DELETE /v1/trash-bin/${entry.id} frees it`,
        }
      : answer;
  }

  /** What an entry stands for. Refuses `not_found`. */
  async find(
    { project }: RequestContext,
    id: string,
  ): Promise<
    Pick<BinEntry, 'id' | 'resource_id' | 'resource_type' | 'resource_parent_id'> | Refusal<'not_found'>
  > {
    const [entry] = await runQuery<BinEntry>(
      this.dataSource,
      'SELECT id, resource_id, resource_type, resource_parent_id FROM bin_entries WHERE project_id = $1 AND id = $2',
      [project.id, id],
    );
    return entry ?? notFound('bin_entry', id);
  }
}
