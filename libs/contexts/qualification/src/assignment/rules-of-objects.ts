import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { lookUp } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import { batchLoader } from '@scrip/rpc';
import type { CompiledRule } from '@scrip/rules';
import type { DataSource } from 'typeorm';
import { CompiledRules } from '../rule/compiled-rules';
import type { RuleVersion } from '../rule/stored-rules';

interface Named {
  projectId: string;
  objectId: string;
}

type Assigned = RuleVersion & { place: number; assigned_at: string };

const rulesOfObjects = `
  SELECT o.place::int AS place, a.rule_id, r.version, r.epoch, a.created_at::text || a.id AS assigned_at
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS o(project_id, object_id, place)
  JOIN rule_assignments a ON a.project_id = o.project_id AND a.related_object_id = o.object_id
  JOIN validation_rules r ON r.project_id = a.project_id AND r.id = a.rule_id`;

/** Reads which rules hold for objects; objects asked for in the same turn of the event loop share one statement. */
@Injectable()
export class RulesOfObjects {
  private readonly assignedTo: (named: Named) => Promise<Assigned[]>;

  constructor(
    @InjectDataSource('qualification') private readonly dataSource: DataSource,
    private readonly compiled: CompiledRules,
  ) {
    this.assignedTo = batchLoader((named: readonly Named[]) => this.read(named));
  }

  /** Returns for each group of objects, a redeemable and its campaign, the rules that hold for it, in the order of their assignment,
   *  each once. To be asked after the objects were read: one that was created with rules is then never seen without them.
   *  Source: reference 02 §4.2. */
  async of(
    context: RequestContext,
    groups: readonly (readonly string[])[],
  ): Promise<(readonly CompiledRule[])[]> {
    const { id: projectId } = context.project;
    const objects = [...new Set(groups.flat())];
    const lists = await Promise.all(objects.map((objectId) => this.assignedTo({ projectId, objectId })));
    const assigned = new Map(objects.map((objectId, index) => [objectId, lists[index]!]));
    const rules = await this.compiled.of(context, lists.flat());
    return groups.map((group) => {
      const own = group.flatMap((objectId) => assigned.get(objectId) ?? []);
      const inOrder = own.sort((a, b) => (a.assigned_at < b.assigned_at ? -1 : 1));
      return [...new Set(inOrder.map(({ rule_id }) => rule_id))].flatMap((id) => rules.get(id) ?? []);
    });
  }

  private async read(named: readonly Named[]): Promise<Assigned[][]> {
    const rows = await lookUp<Assigned>(this.dataSource, rulesOfObjects, [
      named.map(({ projectId }) => projectId),
      named.map(({ objectId }) => objectId),
    ]);
    const lists = named.map((): Assigned[] => []);
    for (const row of rows) lists[row.place - 1]!.push(row);
    return lists;
  }
}
