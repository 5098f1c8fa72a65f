import { Module } from '@nestjs/common';
import { MetadataSchemas } from '@scrip/metadata';
import { qualificationPort } from '@scrip/contracts/qualification';
import { exportsOfContext } from '@scrip/exports';
import { servePort } from '@scrip/rpc';
import { InternalContexts } from '@scrip/tasks';
import { RedemptionExport } from './exports/redemption.export';
import { ErasureConsumer } from './erasure/erasure.consumer';
import { AssignmentConfirmation } from './assignment/assignment-confirmation';
import { AssignmentEnds } from './assignment/assignment-ends';
import { AssignmentHandlers } from './assignment/assignment.handlers';
import { AssignmentHttp } from './assignment/assignment.http';
import { AssignmentReads } from './assignment/assignment.reads';
import { DeletionsConsumer } from './assignment/deletions.consumer';
import { RuledObjects } from './assignment/ruled-objects';
import { DeletionNotes } from './naming/deletion-notes';
import { RuleHandlers } from './rule/rule.handlers';
import { RuleHttp } from './rule/rule.http';
import { RuleReads } from './rule/rule.reads';
import { DeletedObjectsProjection } from './listing/deleted-objects.projection';
import { CompiledRules } from './rule/compiled-rules';
import { RulesOfObjects } from './assignment/rules-of-objects';
import { RuleInputsLoader } from './validation/rule-inputs';
import { ListHandlers } from './listing/list.handlers';
import { ListHttp } from './listing/list.http';
import { VoucherRedemptionsHttp } from './listing/voucher-redemptions.http';
import { RedemptionReads } from './listing/redemption.reads';
import { OutcomeKeeper } from './outcomes/outcome-keeper';
import { Outcomes } from './outcomes/outcomes';
import { InFlightRedemptions } from './outcomes/in-flight-redemptions';
import { QualificationPortHandlers } from './qualification.port-handlers';
import { Claiming } from './claiming/claiming';
import { Participants } from './participants/participants';
import { RedeemableKinds } from './participants/redeemable-kinds';
import { Conclusion } from './redemption/conclusion';
import { RequestCounters } from './limits/request-counters';
import { LimitCounters } from './limits/limit-counters';
import { RuleCounters } from './limits/rule-counters';
import { ScopeActivation } from './limits/scope-activation';
import { ProjectSettings } from './validation/project-settings';
import { Recorder } from './recording/recorder';
import { RecordedAnswers } from './redemption/recorded-answers';
import { RedeemHandlers } from './redemption/redeem.handlers';
import { RedemptionMetadata } from './redemption/redemption-metadata';
import { RedemptionAnswers } from './redemption/redemption-answers';
import { RedemptionHttp } from './redemption/redemption.http';
import { KnownAssets } from './redemption/known-assets';
import { RedemptionRenderer } from './redemption/redemption-renderer';
import { RollbackFinisher } from './rollback/rollback-finisher';
import { RollbackRefunds } from './rollback/rollback-refunds';
import { RollbackResumer } from './rollback/rollback-resumer';
import { RollbackHandlers } from './rollback/rollback.handlers';
import { RollbackHttp } from './rollback/rollback.http';
import { SettlementPusher } from './settlement/settlement';
import { SessionHolds } from './session/session-holds';
import { Preparation } from './validation/preparation';
import { RedeemableLoader } from './validation/redeemable-loader';
import { trackingIdsProvider } from './validation/tracking-id.provider';
import { ValidateHandlers } from './validation/validate.handlers';
import { ValidationLog } from './validation/validation-log';
import { ValidationSums } from './validation/validation-sums.reads';
import { BrowserVouchersHttp } from './legacy/browser-vouchers.http';
import { LegacyJudgement } from './legacy/legacy-judgement';
import { LegacyQualificationHttp } from './legacy/legacy-qualification.http';
import { LegacyQualification } from './legacy/legacy-qualification';
import { SingleValidations } from './legacy/single-validations';
import { TierCallsHttp } from './legacy/tier-calls.http';
import { TiersValidation } from './legacy/tiers-validation';
import { VoucherCallsHttp } from './legacy/voucher-calls.http';
import { ExplainHandlers } from './explanation/explain.handlers';
import { ExplanationHttp } from './explanation/explanation.http';
import { CandidatesProjection } from './candidates/candidates.projection';
import { CandidateReads } from './candidates/candidates.reads';
import { RuleTerms } from './candidates/rule-terms';
import { CandidateSearches } from './qualifying/candidate-search';
import { CandidateSource } from './qualifying/candidate-source';
import { Judge } from './qualifying/judge';
import { QualificationHttp } from './qualifying/qualification.http';
import { QualificationRenderer } from './qualifying/qualification.renderer';
import { QualifyHandlers } from './qualifying/qualify.handlers';
import { RequestLines } from './qualifying/request-lines';
import { ValidationHttp } from './validation/validation.http';

@Module({
  controllers: [
    ValidationHttp,
    ExplanationHttp,
    RedemptionHttp,
    RollbackHttp,
    ListHttp,
    VoucherRedemptionsHttp,
    VoucherCallsHttp,
    TierCallsHttp,
    BrowserVouchersHttp,
    RuleHttp,
    AssignmentHttp,
    ErasureConsumer,
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
    LegacyJudgement,
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
    RedeemHandlers,
    RollbackRefunds,
    RollbackFinisher,
    RollbackHandlers,
    RollbackResumer,
    ListHandlers,
    DeletionNotes,
    RuleHandlers,
    RuleReads,
    CompiledRules,
    RulesOfObjects,
    RuleInputsLoader,
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
