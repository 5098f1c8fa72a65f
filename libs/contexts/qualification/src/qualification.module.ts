import { Module } from '@nestjs/common';
import { MetadataSchemas } from '@scrip/metadata';
import { qualificationPort } from '@scrip/contracts/qualification';
import { exportsOfContext } from '@scrip/exports';
import { servePort } from '@scrip/rpc';
import { RedemptionExport } from './exports/redemption.export';
import { ErasureConsumer } from './erasure/erasure.consumer';
import { ListHandlers } from './listing/list.handlers';
import { ListHttp } from './listing/list.http';
import { RedemptionReads } from './listing/redemption.reads';
import { OutcomeKeeper } from './outcomes/outcome-keeper';
import { Outcomes } from './outcomes/outcomes';
import { InFlightRedemptions } from './outcomes/in-flight-redemptions';
import { QualificationPortHandlers } from './qualification.port-handlers';
import { Claiming } from './claiming/claiming';
import { Participants } from './participants/participants';
import { RedeemableKinds } from './participants/redeemable-kinds';
import { Conclusion } from './redemption/conclusion';
import { Limits } from './limits/limits';
import { ScopeActivation } from './limits/scope-activation';
import { ProjectSettings } from './validation/project-settings';
import { Recorder } from './recording/recorder';
import { RecordedAnswers } from './redemption/recorded-answers';
import { RedeemHandlers } from './redemption/redeem.handlers';
import { RedemptionMetadata } from './redemption/redemption-metadata';
import { RedemptionAnswers } from './redemption/redemption-answers';
import { RedemptionHttp } from './redemption/redemption.http';
import { RedemptionRenderer } from './redemption/redemption-renderer';
import { RollbackFinisher } from './rollback/rollback-finisher';
import { RollbackRefunds } from './rollback/rollback-refunds';
import { RollbackResumer } from './rollback/rollback-resumer';
import { RollbackHandlers } from './rollback/rollback.handlers';
import { RollbackHttp } from './rollback/rollback.http';
import { SettlementPusher } from './settlement/settlement';
import { Preparation } from './validation/preparation';
import { RedeemableLoader } from './validation/redeemable-loader';
import { trackingIdsProvider } from './validation/tracking-id.provider';
import { ValidateHandlers } from './validation/validate.handlers';
import { ValidationLog } from './validation/validation-log';
import { ValidationHttp } from './validation/validation.http';

@Module({
  controllers: [ValidationHttp, RedemptionHttp, RollbackHttp, ListHttp, ErasureConsumer],
  providers: [
    ...exportsOfContext('qualification', [RedemptionExport]),
    MetadataSchemas,
    trackingIdsProvider,
    Participants,
    RedeemableKinds,
    ProjectSettings,
    Limits,
    ScopeActivation,
    RedeemableLoader,
    Preparation,
    ValidationLog,
    ValidateHandlers,
    InFlightRedemptions,
    Outcomes,
    OutcomeKeeper,
    Claiming,
    Recorder,
    SettlementPusher,
    Conclusion,
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
    servePort(qualificationPort, QualificationPortHandlers),
  ],
})
export class QualificationModule {}
