export { type GatewayConfig, type GatewayOptions, bootGateway } from './boot/boot-gateway';
export { type BootOptions, type RunningApp, bootScrip } from './boot/boot-scrip';
export type { HttpProcess } from './boot/http-process';
export { runGateway } from './boot/run-gateway';
export { rpcKey } from './boot/ports-of-process';
export { endWithUsage, readCommandLine } from './boot/command-line';
export { runProgram } from './boot/run-program';
export { runService } from './boot/run-service';
export { type OpenConsumers, openConsumers } from './boot/open-consumers';
export { closeOnSignals } from './boot/shutdown';
export {
  BUSINESS_CLOCK,
  InjectBusinessClock,
  InjectMachineClock,
  MACHINE_CLOCK,
} from './clock/clock.provider';
export { type ContextDatabases, databaseUrlOf } from './config/context-databases';
export type { Distribution } from './config/distribution';
export { ConfigurationError } from './config/environment';
export { internalTls } from './config/internal-tls';
export { type Variable, type VariableName, environmentTable } from './config/environment.table';
export {
  type BootstrapKeys,
  type ScripConfig,
  type ScripSettings,
  type TracingSettings,
  SCRIP_CONFIG,
  readSettings,
  urlOf,
} from './config/scrip-config';
export {
  connectionSettings,
  contextDataSourceOptions,
  openContextDataSource,
} from './context/context-data-source';
export { type ContextDefinition, type MigrationClass } from './context/context-definition';
export { buildIndexConcurrently, inPortions, replaceIndexConcurrently } from './context/context-migrations';
export { Readiness } from './health/readiness';
export { type JobDefinition, defineJob } from './jobs/job-definition';
export { JobHandler, type RunningJob } from './jobs/job-handler';
export { InjectJobQueue, type JobEntry, JobQueue, jobQueueToken, jobsSchema } from './jobs/job-queue';
export { createdCursor } from './lists/created-cursor';
export { ListReader } from './lists/list-reader';
export { InjectListReader, listReaderToken, ListsModule } from './lists/lists.module';
export { withLogContext } from './logging/log-context';
export { maskSecrets, maskText } from './logging/masking';
export { readableLines } from './logging/readable-lines';
export { ScripLogger } from './logging/scrip-logger';
export { BackgroundQueue } from './background/background-queue';
export { Periodic } from './background/periodic';
export { CreateLookupKeys1796500000000, lookupKeyOf, lookupKeysColumn } from './secrets/lookup-key';
export { type MasterKeys, purposeRing } from './secrets/master-keys';
export { rewrapColumn, type SealedColumn } from './secrets/sealed-column';
export { InjectMetrics, METRICS, Metrics, type Sample } from './metrics/metrics';
