import { Injectable } from '@nestjs/common';
import { ContextExports } from '@scrip/exports';
import type { ClaimKey } from '@scrip/contracts/claims';
import type { QualificationPort } from '@scrip/contracts/qualification';
import { AssignmentHandlers } from './assignment/assignment.handlers';
import { AssignmentReads } from './assignment/assignment.reads';
import { DeletionNotes } from './naming/deletion-notes';
import { Outcomes } from './outcomes/outcomes';
import { verdictsOn } from './outcomes/verdicts';
import { RuleReads } from './rule/rule.reads';
import { ValidationSums } from './validation/validation-sums.reads';

const idsOf = (claims: readonly ClaimKey[]): string[] => claims.map(({ redemption_id }) => redemption_id);

/** What owners of claims ask of qualification. Source: architecture §7. */
@Injectable()
export class QualificationPortHandlers implements QualificationPort {
  constructor(
    private readonly outcomes: Outcomes,
    private readonly exports: ContextExports,
    private readonly assigning: AssignmentHandlers,
    private readonly assignments: AssignmentReads,
    private readonly rules: RuleReads,
    private readonly validations: ValidationSums,
    private readonly deletions: DeletionNotes,
  ) {}

  resolveOutcomes: QualificationPort['resolveOutcomes'] = async (_, { claims }) =>
    verdictsOn(await this.outcomes.resolveAfterWaiting(idsOf(claims)), claims);

  readOutcomes: QualificationPort['readOutcomes'] = async (_, { claims }) =>
    verdictsOn(await this.outcomes.read(idsOf(claims)), claims);

  unknownRules: QualificationPort['unknownRules'] = async ({ project }, { ids }) => ({
    unknown: await this.rules.unknown(project.id, ids),
  });

  assignRules: QualificationPort['assignRules'] = (context, { assignments, made }) =>
    this.assigning.assignAll(context, assignments, made);

  addRules: QualificationPort['addRules'] = (context, { assignments }) =>
    this.assigning.assignMissing(context, assignments);

  unassignRules: QualificationPort['unassignRules'] = (context, { assignments }) =>
    this.assigning.unassignAll(context, assignments, { neverWas: true });

  assignmentsOf: QualificationPort['assignmentsOf'] = async ({ project }, { objects }) => ({
    lists: await this.assignments.shownOf(project.id, objects),
  });

  loadRulesOf: QualificationPort['loadRulesOf'] = ({ project }, { object }) =>
    this.rules.ofObject(project.id, object);

  countValidations: QualificationPort['countValidations'] = (context, request) =>
    this.validations.of(context, request);

  noteDeletion: QualificationPort['noteDeletion'] = (context, request) =>
    this.deletions.note(context, request);

  forgetDeletion: QualificationPort['forgetDeletion'] = (context, request) =>
    this.deletions.forget(context, request);

  checkExport: QualificationPort['checkExport'] = (context, request) => this.exports.check(context, request);

  writeExport: QualificationPort['writeExport'] = (context, request) => this.exports.write(context, request);
}
