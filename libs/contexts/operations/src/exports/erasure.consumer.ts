import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics } from '@scrip/contracts/registry';
import { Consumes, type EventBatch } from '@scrip/messaging';
import { ExportFiles } from './export-files';
import { changedRows } from './export.table';

/** Takes exports that tell of people away when one of the project's customers is erased: what was read before may tell of a
 *  person who is forgotten. One that is under way begins again. Source: reference 06 §9.3, ADR 95. */
@Controller()
export class ExportErasureConsumer {
  constructor(private readonly files: ExportFiles) {}

  @Consumes(topics.customer, { group: 'operations.exports-erasure' })
  async erased(@Payload() batch: EventBatch): Promise<void> {
    const erased = batch.events.filter(({ type }) => type === 'CustomerErased');
    if (erased.length === 0) return;
    const projects = [...new Set(erased.map(({ projectId }) => projectId))];
    let files: (string | null)[] = [];
    await batch.commit(async (manager) => {
      // Where an execution has no file any more, it cannot end the export.
      await manager.query(
        `UPDATE exports SET file_name = NULL, wrapped_key = NULL
         WHERE project_id = ANY($1) AND tells_of_people AND status = 'IN_PROGRESS'`,
        [projects],
      );
      const gone = await changedRows<{ file_name: string | null }>(
        manager,
        `DELETE FROM exports WHERE project_id = ANY($1) AND tells_of_people AND status IN ('DONE', 'ERROR')
         RETURNING file_name`,
        [projects],
      );
      files = gone.map(({ file_name }) => file_name);
    });
    // Without their keys nothing opens them any more.
    await this.files.delete(files);
  }
}
