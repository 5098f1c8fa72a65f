import type { ClaimKey, Outcome, Verdict } from '@scrip/contracts/claims';
import type {
  QualificationPort,
  RuleAssignmentSnapshot,
  RuleDefinition,
  WantedAssignment,
} from '@scrip/contracts/qualification';
import { notFound, type RequestContext } from '@scrip/kernel';

const asAssigned = ({ campaign_id: _, ...assignment }: WantedAssignment): RuleAssignmentSnapshot => ({
  ...assignment,
  created_at: '2026-03-31T10:00:00.000Z',
});

/** A coordinator whose outcomes a test sets. To ask about a redemption without an outcome is to abandon it. */
export class FakeCoordinator implements QualificationPort {
  checkExport: QualificationPort['checkExport'] = async () => ({ fits: true });

  writeExport: QualificationPort['writeExport'] = async () => ({ rows: 0 });

  /** Rules that exist, what those say that were created with their objects, and what is assigned, by the id of the assignment. */
  readonly rules = new Set<string>();
  readonly definitions = new Map<string, RuleDefinition>();
  readonly assigned = new Map<string, WantedAssignment>();

  unknownRules: QualificationPort['unknownRules'] = async (_, { ids }) => ({
    unknown: ids.filter((id) => !this.rules.has(id)),
  });

  assignRules: QualificationPort['assignRules'] = async (_, { assignments, made = [] }) => {
    for (const { id, definition } of made) {
      this.rules.add(id);
      this.definitions.set(id, definition);
    }
    const unknown = assignments.find(({ rule_id }) => !this.rules.has(rule_id));
    if (unknown) return notFound('validation_rules', unknown.rule_id);
    for (const one of assignments) this.assigned.set(one.id, one);
    return assignments.map(asAssigned);
  };

  addRules: QualificationPort['addRules'] = async (context, { assignments }) => {
    const has = ({ rule_id, related_object_id: id }: WantedAssignment) =>
      [...this.assigned.values()].some((one) => one.rule_id === rule_id && one.related_object_id === id);
    return this.assignRules(context, { assignments: assignments.filter((one) => !has(one)) });
  };

  unassignRules: QualificationPort['unassignRules'] = async (_, { assignments }) => {
    for (const { id, rule_id } of assignments) {
      this.assigned.delete(id);
      if (this.definitions.delete(rule_id)) this.rules.delete(rule_id);
    }
    return null;
  };

  assignmentsOf: QualificationPort['assignmentsOf'] = async (_, { objects }) => ({
    lists: objects.flatMap((object_id) => {
      const found = [...this.assigned.values()].filter((one) => one.related_object_id === object_id);
      const assignments = found.map(asAssigned);
      return found.length > 0 ? [{ object_id, assignments, total: found.length }] : [];
    }),
  });

  loadRulesOf: QualificationPort['loadRulesOf'] = async (_, { object }) => {
    const rules = [...this.assigned.values()].flatMap(({ related_object_id, rule_id }) => {
      const definition = this.definitions.get(rule_id);
      return related_object_id === object && definition ? [definition] : [];
    });
    return { rules, total: rules.length };
  };

  countValidations: QualificationPort['countValidations'] = async () => ({ succeeded: 3, failed: 2 });

  /** Ids of rules by the id or source id of what they name. */
  readonly naming = new Map<string, string[]>();

  noteDeletion: QualificationPort['noteDeletion'] = async (_, { objects }) => {
    for (const object of objects) {
      const rules = this.naming.get(object.id) ?? this.naming.get(object.source_id ?? '');
      if (rules) return { named: { ...object, rules } };
    }
    return { named: null };
  };

  forgetDeletion: QualificationPort['forgetDeletion'] = async () => null;

  readonly outcomes = new Map<string, Outcome>();
  /** Redemption ids, in the order they were asked about. */
  readonly asked: string[] = [];

  record(redemptionId: string, ...claims: string[]): Outcome {
    return this.stands({ redemption_id: redemptionId, verdict: 'RECORDED', claims });
  }

  abandon(redemptionId: string): Outcome {
    return this.stands({ redemption_id: redemptionId, verdict: 'ABANDONED', claims: [] });
  }

  resolveOutcomes(context: RequestContext, request: { claims: ClaimKey[] }): Promise<Verdict[]> {
    for (const { redemption_id } of request.claims) {
      this.asked.push(redemption_id);
      if (!this.outcomes.has(redemption_id)) this.abandon(redemption_id);
    }
    return this.readOutcomes(context, request);
  }

  readOutcomes(_: RequestContext, { claims }: { claims: ClaimKey[] }): Promise<Verdict[]> {
    return Promise.resolve(
      claims.flatMap(({ redemption_id, claim_id }) => {
        const outcome = this.outcomes.get(redemption_id);
        if (!outcome) return [];
        const verdict = outcome.claims.includes(claim_id) ? 'RECORDED' : 'ABANDONED';
        return [{ redemption_id, claim_id, verdict }];
      }),
    );
  }

  private stands(outcome: Outcome): Outcome {
    this.outcomes.set(outcome.redemption_id, outcome);
    return outcome;
  }
}
