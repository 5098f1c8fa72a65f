import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { JobHandler, type RunningJob, defineJob } from '@scrip/service';
import type { DataSource } from 'typeorm';

/** Whose memberships go: those of a deleted segment, or of a deleted customer. */
export interface Removal {
  project_id: string;
  column: 'segment_id' | 'customer_id';
  id: string;
}

/** Removes memberships that no read shows any more. */
export const removeMembers = defineJob<Removal>('customers', 'remove-segment-members');

/** Rows of one transaction: a long one would keep readers of the log waiting. */
const chunk = 5_000;

/** Removes memberships chunk by chunk; killed at any point, its next attempt goes on. */
@Injectable()
export class MemberRemovalJob {
  constructor(@InjectDataSource('customers') private readonly dataSource: DataSource) {}

  @JobHandler(removeMembers)
  async run({ project_id, column, id }: Removal, { abortSignal }: RunningJob): Promise<void> {
    const named = column === 'customer_id' ? 'customer_id' : 'segment_id';
    for (;;) {
      abortSignal.throwIfAborted();
      const [, removed] = await this.dataSource.query<[unknown, number]>(
        `DELETE FROM segment_members WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM segment_members WHERE project_id = $1 AND ${named} = $2 LIMIT ${chunk}))`,
        [project_id, id],
      );
      if (removed < chunk) return;
    }
  }
}
