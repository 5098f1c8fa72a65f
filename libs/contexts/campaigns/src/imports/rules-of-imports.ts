import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type QualificationPort,
  qualificationPort,
  type WantedAssignment,
} from '@scrip/contracts/qualification';
import { runQuery } from '@scrip/event-store';
import { RuledCreations } from '@scrip/incentives/rules';
import { type IdSource, idsDerivedFrom, isRefused, notFound, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { foldCode } from '../generation/code-config';
import type { StandaloneVoucher } from './standalone-voucher';

/** By the codes of vouchers with rules, as these are compared: the id under which the rule is assigned, or why it is not. */
export type RuledImports = ReadonlyMap<string, string | CampaignsRefusal>;

const unknownRule = (id: string): CampaignsRefusal => notFound('validation_rules', id);

/** Assigns the rules of imported vouchers before they are created. Source: ADR 114. */
@Injectable()
export class RulesOfImports {
  constructor(
    @InjectDataSource('campaigns') private readonly dataSource: DataSource,
    @InjectPort(qualificationPort) private readonly qualification: QualificationPort,
    private readonly creations: RuledCreations,
  ) {}

  /** Assigns them by the set, under ids that the same rows of the task get again. Codes that are taken get no rule: their rows create
   *  nothing. What creates nothing in the end loses its rule, as a creation that broke off does. `rehearsal`: nothing is assigned. */
  async assign(
    context: RequestContext,
    taskId: string,
    vouchers: readonly StandaloneVoucher[],
    { rehearsal }: { rehearsal: boolean },
  ): Promise<RuledImports> {
    const { project } = context;
    const wanted = new Map<string, string>();
    for (const { code, rule } of vouchers) {
      const key = foldCode(code, project.caseSensitiveCodes);
      if (rule !== undefined && !wanted.has(key)) wanted.set(key, rule);
    }
    for (const taken of await this.taken(project.id, [...wanted.keys()])) wanted.delete(taken);
    if (wanted.size === 0) return new Map();
    const ids = idsDerivedFrom(taskId);
    const objects = await this.freshIds(project.id, ids, [...wanted.keys()]);
    const unknown = new Set(
      (await this.qualification.unknownRules(context, { ids: [...new Set(wanted.values())] })).unknown,
    );
    while (!rehearsal) {
      const assignments = [...wanted].flatMap(([key, rule_id]): WantedAssignment[] => {
        const related_object_id = objects.get(key)!;
        const id = ids.next('asgm_', `assignment:${related_object_id}`);
        return unknown.has(rule_id)
          ? []
          : [{ id, rule_id, related_object_type: 'voucher', related_object_id, campaign_id: null }];
      });
      if (assignments.length === 0) break;
      const assigned = await this.qualification.assignRules(context, { assignments });
      if (!isRefused(assigned)) break;
      // It was deleted since it was looked for.
      unknown.add(assigned.resourceId!);
    }
    return new Map(
      [...wanted].map(([key, rule]) => [key, unknown.has(rule) ? unknownRule(rule) : objects.get(key)!]),
    );
  }

  private async taken(projectId: string, keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const rows = await runQuery<{ code_key: string }>(
      this.dataSource,
      'SELECT code_key FROM vouchers WHERE project_id = $1 AND code_key = ANY($2)',
      [projectId, keys],
    );
    return rows.map(({ code_key }) => code_key);
  }

  /** Ids of vouchers by their codes; where the creation of one was given up, the next. */
  private async freshIds(
    projectId: string,
    ids: IdSource,
    keys: readonly string[],
  ): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let tries = 1; found.size < keys.length; tries += 1) {
      const asked = new Map(
        keys.flatMap((key) => (found.has(key) ? [] : [[ids.next('v_', `voucher:${key}:${tries}`), key]])),
      );
      const givenUp = await this.creations.givenUp(projectId, [...asked.keys()]);
      for (const [id, key] of asked) if (!givenUp.has(id)) found.set(key, id);
    }
    return found;
  }
}
