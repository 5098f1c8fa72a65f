import { Module } from '@nestjs/common';
import { MetadataSchemas } from '@scrip/metadata';
import { qualificationPort } from '@scrip/contracts/qualification';
import { answersErasureConsumer } from '@scrip/edge';
import { exportsOfContext } from '@scrip/exports';
import { servePort } from '@scrip/rpc';
import { InternalContexts } from '@scrip/tasks';
import { AssignmentConfirmation } from './assignment/assignment-confirmation';
import { AssignmentEnds } from './assignment/assignment-ends';
import { AssignmentHandlers } from './assignment/assignment.handlers';
import { AssignmentHttp } from './assignment/assignment.http';
import { AssignmentReads } from './assignment/assignment.reads';
import { DeletionsConsumer } from './assignment/deletions.consumer';
import { RuledObjects } from './assignment/ruled-objects';
import { RulesOfObjects } from './assignment/rules-of-objects';
import { CandidatesProjection } from './candidates/candidates.projection';
import { CandidateReads } from './candidates/candidates.reads';
import { RuleTerms } from './candidates/rule-terms';
import { Claiming } from './claiming/claiming';
import { Preparation } from './evaluation/preparation';
import { ProjectSettings } from './evaluation/project-settings';
import { RedeemableLoader } from './evaluation/redeemable-loader';
import { RedemptionMetadata } from './evaluation/redemption-metadata';
import { RequestKnowledge } from './evaluation/request-knowledge';
import { RuleInputsLoader } from './evaluation/rule-inputs';
import { ExplainHandlers } from './explanation/explain.handlers';
import { ExplanationHttp } from './explanation/explanation.http';
import { RedemptionExport } from './exports/redemption.export';
import { BrowserVouchersHttp } from './legacy/browser-vouchers.http';
import { TiersJudgement } from './legacy/tiers-judgement';
import { LegacyQualification } from './legacy/legacy-qualification';
import { LegacyQualificationHttp } from './legacy/legacy-qualification.http';
import { SingleValidations } from './legacy/single-validations';
import { TierCallsHttp } from './legacy/tier-calls.http';
import { TiersValidation } from './legacy/tiers-validation';
import { VoucherCallsHttp } from './legacy/voucher-calls.http';
import { LimitCounters } from './limits/limit-counters';
import { RequestCounters } from './limits/request-counters';
import { RuleCounters } from './limits/rule-counters';
import { ScopeActivation } from './limits/scope-activation';
import { DeletedObjectsProjection } from './listing/deleted-objects.projection';
import { RedemptionListHandlers } from './listing/redemption-list.handlers';
import { RedemptionListHttp } from './listing/redemption-list.http';
import { VoucherRedemptionsHttp } from './listing/voucher-redemptions.http';
import { DeletionNotes } from './naming/deletion-notes';
import { InFlightRedemptions } from './outcomes/in-flight-redemptions';
import { OutcomeKeeper } from './outcomes/outcome-keeper';
import { Outcomes } from './outcomes/outcomes';
import { Participants } from './participants/participants';
import { RedeemableKinds } from './participants/redeemable-kinds';
import { QualificationPortHandlers } from './qualification.port-handlers';
import { CandidateSearches } from './qualifying/candidate-search';
import { CandidateSource } from './qualifying/candidate-source';
import { Judge } from './qualifying/judge';
import { QualificationHttp } from './qualifying/qualification.http';
import { QualificationRenderer } from './qualifying/qualification.renderer';
import { QualifyHandlers } from './qualifying/qualify.handlers';
import { RequestLines } from './qualifying/request-lines';
import { Recorder } from './recording/recorder';
import { Conclusion } from './redemption/conclusion';
import { RecordedAnswers } from './redemption/recorded-answers';
import { RedeemHandlers } from './redemption/redeem.handlers';
import { RedemptionAnswers } from './redemption/redemption-answers';
import { RedemptionAttempts } from './redemption/redemption-attempts';
import { RedemptionRenderer } from './redemption/redemption-renderer';
import { RedemptionHttp } from './redemption/redemption.http';
import { RedemptionReads } from './redemption/redemption.reads';
import { KnownAssets } from './rendering/known-assets';
import { RollbackFinisher } from './rollback/rollback-finisher';
import { RollbackRefunds } from './rollback/rollback-refunds';
import { RollbackResumer } from './rollback/rollback-resumer';
import { RollbackHandlers } from './rollback/rollback.handlers';
import { RollbackHttp } from './rollback/rollback.http';
import { CompiledRules } from './rule/compiled-rules';
import { RuleHandlers } from './rule/rule.handlers';
import { RuleHttp } from './rule/rule.http';
import { RuleReads } from './rule/rule.reads';
import { SessionHolds } from './session/session-holds';
import { SettlementPusher } from './settlement/settlement';
import { trackingIdsProvider } from './tracking/tracking-id.provider';
import { ValidateHandlers } from './validation/validate.handlers';
import { ValidationLog } from './validation/validation-log';
import { ValidationSums } from './validation/validation-sums.reads';
import { ValidationHttp } from './validation/validation.http';
import type { ContextDefinition } from '@scrip/service';
import { qualificationMigrations } from './migrations';

@Module({
  controllers: [
    ValidationHttp,
    ExplanationHttp,
    RedemptionHttp,
    RollbackHttp,
    RedemptionListHttp,
    VoucherRedemptionsHttp,
    VoucherCallsHttp,
    TierCallsHttp,
    BrowserVouchersHttp,
    RuleHttp,
    AssignmentHttp,
    answersErasureConsumer('qualification'),
    DeletionsConsumer,
    DeletedObjectsProjection,
    CandidatesProjection,
    QualificationHttp,
    LegacyQualificationHttp,
  ],
  providers: [
    ...exportsOfContext('qualification', [RedemptionExport]),
    MetadataSchemas,
    trackingIdsProvider,
    Participants,
    RedeemableKinds,
    ProjectSettings,
    RequestCounters,
    ScopeActivation,
    LimitCounters,
    RuleCounters,
    RedeemableLoader,
    Preparation,
    ValidationLog,
    ValidationSums,
    SessionHolds,
    ValidateHandlers,
    SingleValidations,
    TiersJudgement,
    TiersValidation,
    LegacyQualification,
    InFlightRedemptions,
    Outcomes,
    OutcomeKeeper,
    Claiming,
    Recorder,
    SettlementPusher,
    Conclusion,
    KnownAssets,
    RedemptionRenderer,
    RedemptionReads,
    RecordedAnswers,
    RedemptionMetadata,
    RedemptionAnswers,
    RedemptionAttempts,
    RedeemHandlers,
    RollbackRefunds,
    RollbackFinisher,
    RollbackHandlers,
    RollbackResumer,
    RedemptionListHandlers,
    DeletionNotes,
    RuleHandlers,
    RuleReads,
    CompiledRules,
    RulesOfObjects,
    RuleInputsLoader,
    RequestKnowledge,
    ExplainHandlers,
    RuledObjects,
    AssignmentConfirmation,
    AssignmentEnds,
    AssignmentHandlers,
    InternalContexts,
    AssignmentReads,
    RuleTerms,
    CandidateReads,
    CandidateSource,
    RequestLines,
    Judge,
    CandidateSearches,
    QualificationRenderer,
    QualifyHandlers,
    servePort(qualificationPort, QualificationPortHandlers),
  ],
})
export class QualificationModule {}

/** Validations, redemptions, rollbacks, and the verdicts that owners of claims ask for. */
export const qualificationContext: ContextDefinition = {
  name: 'qualification',
  module: QualificationModule,
  migrations: qualificationMigrations,
};
