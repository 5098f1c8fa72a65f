export { type ProcessPlan, type Replicas, labelOf, planOf } from './plan';
export { ProcessLog } from './process-log';
export { type RunningProcess, ServiceProcesses, runningServices } from './service-processes';
