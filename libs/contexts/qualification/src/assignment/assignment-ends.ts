import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { runQuery } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { AssignmentHandlers } from './assignment.handlers';

/** Assignments taken off at once. */
const perPage = 500;

/** Objects that are gone. `campaigns`: also what belonged to them. */
export interface GoneObjects {
  objects: readonly string[];
  campaigns: readonly string[];
}

// Two index scans: of the object, and of the campaign that it belonged to.
export const ofGoneObjects = `
  SELECT id, rule_id FROM (
    (SELECT id, rule_id FROM rule_assignments
     WHERE project_id = $1 AND related_object_id = ANY($2) AND id > $4 ORDER BY id LIMIT ${perPage})
    UNION
    (SELECT id, rule_id FROM rule_assignments
     WHERE project_id = $1 AND campaign_id = ANY($3) AND id > $4 ORDER BY id LIMIT ${perPage})
  ) a ORDER BY id LIMIT ${perPage}`;

/** Takes rules off what is gone. Source: reference 02 §5. */
@Injectable()
export class AssignmentEnds {
  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    private readonly handlers: AssignmentHandlers,
  ) {}

  /** Returns how many assignments ended. `neverWere`: objects that perhaps did not come about; the rules that were made for them go,
   *  too. May be repeated. */
  async of(
    context: RequestContext,
    { objects, campaigns }: GoneObjects,
    { neverWere = false } = {},
  ): Promise<number> {
    let [ended, after] = [0, ''];
    for (;;) {
      const page = await runQuery<{ id: string; rule_id: string }>(this.dataSource, ofGoneObjects, [
        context.project.id,
        [...objects, ...campaigns],
        campaigns,
        after,
      ]);
      await this.handlers.unassignAll(context, page, { neverWas: neverWere });
      ended += page.length;
      if (page.length < perPage) return ended;
      after = page.at(-1)!.id;
    }
  }
}
