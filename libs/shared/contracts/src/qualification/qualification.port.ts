import { exportsMethods, type ExportsPort } from '../operations/exports.port';
import { type CalendarDay, definePort, type Refusal, type RequestContext } from '@scrip/kernel';
import type { ClaimKey, Verdict } from '../claims';
import type { RuleAssignmentSnapshot, RuleDefinition } from './rule.events';

/** What a rule can name by its id, or by its source id where it has one. */
export interface NamedObject {
  object: 'segment' | 'product' | 'sku' | 'products_collection';
  id: string;
  source_id?: string | null;
}

/** An object that rules name, and their ids, at most `namingRulesShown`. */
export interface NamedByRules extends NamedObject {
  rules: string[];
}

/** An assignment that is asked for, under an id that its caller chose. `campaign_id`: of the campaign that the object belongs to. */
export type WantedAssignment = Omit<RuleAssignmentSnapshot, 'created_at'> & { campaign_id: string | null };

/** A rule that is created with its first assignment. `made_for`: the object of it. */
export interface MadeRule {
  /** `val_…`, which the caller chose. */
  id: string;
  definition: RuleDefinition;
  made_for: string;
}

/** What rules of one object say, the oldest assignment first. */
export interface LoadedRules {
  /** At most `rulesLoaded`, and as many as `ruleBytesLoaded` hold. */
  rules: RuleDefinition[];
  /** All that there are. */
  total: number;
}

/** How many rules `loadRulesOf` returns at most. */
export const rulesLoaded = 20;

/** How many bytes of JSON the rules in an answer of `loadRulesOf` have together at most. */
export const ruleBytesLoaded = 524_288;

/** The rules of one object, the oldest assignment first. */
export interface AssignmentsOfObject {
  object_id: string;
  /** At most `assignmentsShown`. */
  assignments: RuleAssignmentSnapshot[];
  /** All that there are. */
  total: number;
}

/** Which validations are asked for: those of a campaign on days in the project's time zone, both inclusive; null: no bound. */
export interface ValidationsWanted {
  campaign_id: string;
  start_date: CalendarDay | null;
  end_date: CalendarDay | null;
}

/** How many redeemables of a campaign were validated. */
export interface CampaignValidations {
  succeeded: number;
  failed: number;
}

/** How many assignments of one object `assignmentsOf` returns at most. */
export const assignmentsShown = 20;

/** How many assignments an answer of `assignmentsOf` has at most: of each object the first ones. */
export const assignmentsPerAnswer = 3_000;

/** What other contexts may ask of qualification. Source: architecture §7, §8. */
export interface QualificationPort extends ExportsPort {
  /** Returns the binding verdict on each claim, at most 1,000 at once. To ask is to insert ABANDONED where nothing stands
   *  for its redemption: never ask inside a transaction that holds a row of yours, nor about a redemption that waits
   *  for your answer. A redemption in flight in the answering process is given a moment to come to its own outcome
   *  first. */
  resolveOutcomes(context: RequestContext, request: { claims: ClaimKey[] }): Promise<Verdict[]>;

  /** Returns the verdicts that stand by now; what is still under way is left out and left alone. For the owners' loop
   *  over young claims (those older than 30 s are resolved). At most 1,000 at once. */
  readOutcomes(context: RequestContext, request: { claims: ClaimKey[] }): Promise<Verdict[]>;

  /** Returns which of these rules, at most 1,000, do not exist. */
  unknownRules(context: RequestContext, request: { ids: string[] }): Promise<{ unknown: string[] }>;

  /** Assigns rules to an object, which may be created right after: an object that never exists without its rules is never
   *  without them. Under ids that the caller chose; repeated, it answers the first result. All or none: refuses
   *  `not_found` for the first rule that does not exist. What never comes to exist loses them: its owner is asked later.
   *  `made`: rules of these assignments that do not exist yet; each is created with its assignment, and goes with it where the object
   *  does not come about. */
  assignRules(
    context: RequestContext,
    request: { assignments: WantedAssignment[]; made?: MadeRule[] },
  ): Promise<RuleAssignmentSnapshot[] | Refusal<'not_found'>>;

  /** Assigns rules to an object that exists; those that it has already stay as they are. All or none: refuses `not_found` for the
   *  first rule that does not exist. Returns what was assigned. Repeated under the same ids, it changes nothing. */
  addRules(
    context: RequestContext,
    request: { assignments: WantedAssignment[] },
  ): Promise<RuleAssignmentSnapshot[] | Refusal<'not_found'>>;

  /** Takes rules off an object that did not come to be, or that was not changed as they were to be added; those that were made for it
   *  are deleted. Idempotent. */
  unassignRules(
    context: RequestContext,
    request: { assignments: Pick<RuleAssignmentSnapshot, 'id' | 'rule_id'>[] },
  ): Promise<null>;

  /** Returns what is assigned to these objects, at most 1,000 of them, by one statement; those without rules are left out. */
  assignmentsOf(
    context: RequestContext,
    request: { objects: string[] },
  ): Promise<{ lists: AssignmentsOfObject[] }>;

  /** Returns what the rules of an object say now. */
  loadRulesOf(context: RequestContext, request: { object: string }): Promise<LoadedRules>;

  /** Returns how many validations a campaign had; those of the last moment may be missing. Source: reference 04 §4.9. */
  countValidations(context: RequestContext, request: ValidationsWanted): Promise<CampaignValidations>;

  /** Notes that the objects, at most `namedPerNote`, are about to be deleted, and returns the first of them that a rule names. Until
   *  the note is forgotten, or for two minutes, no rule is stored that names one of them. For `deleteUnlessNamed`. */
  noteDeletion(
    context: RequestContext,
    request: { deletion_id: string; objects: NamedObject[] },
  ): Promise<{ named: NamedByRules | null }>;

  /** Ends what was noted of a deletion. Idempotent. */
  forgetDeletion(context: RequestContext, request: { deletion_id: string }): Promise<null>;
}

export const qualificationPort = definePort<QualificationPort>('qualification', [
  ...exportsMethods,
  'resolveOutcomes',
  'readOutcomes',
  'unknownRules',
  'assignRules',
  'addRules',
  'unassignRules',
  'assignmentsOf',
  'loadRulesOf',
  'countValidations',
  'noteDeletion',
  'forgetDeletion',
]);
