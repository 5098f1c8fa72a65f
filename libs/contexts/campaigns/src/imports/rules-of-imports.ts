import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  type QualificationPort,
  qualificationPort,
  type WantedAssignment,
} from '@scrip/contracts/qualification';
import { ofAnyLength, runQuery } from '@scrip/event-store';
import { RuledCreations } from '@scrip/incentives/rules';
import { type IdSource, idsDerivedFrom, isRefused, notFound, type RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { foldCode } from '../generation/code-config';
import type { StandaloneVoucher } from './standalone-voucher';

/** By `ruledName`: the id of the voucher that the rule is assigned under, or why it is not. */
export type RuledImports = ReadonlyMap<string, string | CampaignsRefusal>;

/** Names a voucher with its rule: a row that fails leaves its rule to no other row of its code. `key`: the code as it is compared. */
export const ruledName = (key: string, rule: string): string => JSON.stringify([key, rule]);

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
    const wanted = new Map<string, { key: string; rule: string }>();
    for (const { code, rule } of vouchers) {
      const key = foldCode(code, project.caseSensitiveCodes);
      if (rule !== undefined) wanted.set(ruledName(key, rule), { key, rule });
    }
    const taken = await this.taken(project.id, [...wanted.values()]);
    for (const [name, { key }] of wanted) if (taken.has(key)) wanted.delete(name);
    if (wanted.size === 0) return new Map();
    const ids = idsDerivedFrom(taskId);
    const objects = await this.freshIds(project.id, ids, [...wanted.keys()]);
    const unknown = new Set(
      (await this.qualification.unknownRules(context, { ids: rulesOf([...wanted.values()]) })).unknown,
    );
    while (!rehearsal) {
      const assignments = [...wanted].flatMap(([name, { rule: rule_id }]): WantedAssignment[] => {
        const related_object_id = objects.get(name)!;
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
      [...wanted].map(([name, { rule }]) => [
        name,
        unknown.has(rule) ? unknownRule(rule) : objects.get(name)!,
      ]),
    );
  }

  private async taken(projectId: string, vouchers: readonly { key: string }[]): Promise<Set<string>> {
    if (vouchers.length === 0) return new Set();
    const rows = await runQuery<{ code_key: string }>(
      this.dataSource,
      `SELECT code_key FROM vouchers WHERE project_id = $1 AND code_key = ANY(${ofAnyLength('$2')})`,
      [projectId, [...new Set(vouchers.map(({ key }) => key))]],
    );
    return new Set(rows.map(({ code_key }) => code_key));
  }

  /** Ids of vouchers by their names; where the creation of one was given up, the next. */
  private async freshIds(
    projectId: string,
    ids: IdSource,
    names: readonly string[],
  ): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let tries = 1; found.size < names.length; tries += 1) {
      const asked = new Map(
        names.flatMap((name) =>
          found.has(name) ? [] : [[ids.next('v_', `voucher:${name}:${tries}`), name]],
        ),
      );
      const givenUp = await this.creations.givenUp(projectId, [...asked.keys()]);
      for (const [id, name] of asked) if (!givenUp.has(id)) found.set(name, id);
    }
    return found;
  }
}

const rulesOf = (vouchers: readonly { rule: string }[]): string[] => [
  ...new Set(vouchers.map(({ rule }) => rule)),
];
