import type { ChosenDemoKeys } from '@scrip/data-directory';
import type { Secret } from '@scrip/kernel';
import type { InternalTls } from '@scrip/rpc';
import type { VariableName } from '@scrip/service';
import { type ProcessPlan, servicesText } from './plan';

/** What all processes of one start share. */
export interface SharedEnvironment {
  plans: readonly ProcessPlan[];
  /** What every process listens on. */
  host: string;
  /** Under which processes of this machine reach it. */
  reachableHost: string;
  /** The ports under which others reach a process, where something stands in front of it. */
  reachedAt?: (plan: ProcessPlan) => ProcessPlan;
  baseUrl: string;
  dataDir: string;
  databaseUrl: Secret;
  /** Of services with a database, or a role, of their own. */
  ownDatabaseUrls?: Partial<Record<ProcessPlan['name'], Secret>>;
  masterKey: Secret;
  internalSecret: Secret;
  tls?: InternalTls | null;
  brokers: string;
  demo: ChosenDemoKeys;
}

type Environment = Partial<Record<VariableName, string>>;

const common = ({
  plans,
  host,
  reachableHost,
  reachedAt = (plan) => plan,
  baseUrl,
  dataDir,
  internalSecret,
  brokers,
}: SharedEnvironment) => ({
  SCRIP_HOST: host,
  SCRIP_BASE_URL: baseUrl,
  SCRIP_DATA_DIR: dataDir,
  SCRIP_SERVICES: servicesText(plans.map(reachedAt), reachableHost),
  SCRIP_INTERNAL_SECRET: internalSecret.reveal(),
  SCRIP_KAFKA_BROKERS: brokers,
});

const demoProject = ({ demo }: SharedEnvironment): Environment => ({
  SCRIP_BOOTSTRAP_PROJECT_ID: demo.projectId,
  SCRIP_BOOTSTRAP_APP_ID: demo.appId,
  SCRIP_BOOTSTRAP_APP_TOKEN: demo.appToken.reveal(),
  SCRIP_BOOTSTRAP_CLIENT_APP_ID: demo.clientAppId,
  SCRIP_BOOTSTRAP_CLIENT_TOKEN: demo.clientToken.reveal(),
  SCRIP_BOOTSTRAP_MANAGEMENT_ID: demo.managementId,
  SCRIP_BOOTSTRAP_MANAGEMENT_TOKEN: demo.managementToken.reveal(),
});

const ownSecrets =
  /^(?:DATABASE_URLS?|SCRIP_MASTER_KEY|SCRIP_MASTER_KEYS_ACCEPTED|SCRIP_BOOTSTRAP_.*|SCRIP_ADMIN_PASSWORD|WEBHOOK_PROXY)$/;

/** Secrets of this process's environment that only some processes get. */
const handedOn = ({ name, rpcPort }: ProcessPlan, inherited: NodeJS.ProcessEnv): Environment => {
  const { SCRIP_ADMIN_PASSWORD, SCRIP_MASTER_KEYS_ACCEPTED, WEBHOOK_PROXY } = inherited as Environment;
  return {
    ...(rpcPort !== null && SCRIP_MASTER_KEYS_ACCEPTED ? { SCRIP_MASTER_KEYS_ACCEPTED } : {}),
    ...(name === 'auth' && SCRIP_ADMIN_PASSWORD ? { SCRIP_ADMIN_PASSWORD } : {}),
    ...(name === 'webhooks' && WEBHOOK_PROXY ? { WEBHOOK_PROXY } : {}),
  };
};

/** Returns the environment of one process: that of this process, with its own address and only the secrets it needs. */
export const environmentOf = (
  plan: ProcessPlan,
  shared: SharedEnvironment,
  inherited: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv => {
  const others = Object.fromEntries(Object.entries(inherited).filter(([name]) => !ownSecrets.test(name)));
  const own: Environment = {
    ...common(shared),
    SCRIP_PORT: String(plan.httpPort),
    SCRIP_METRICS_HOST: '127.0.0.1',
    SCRIP_METRICS_PORT: String(plan.metricsPort),
  };
  if (plan.rpcPort !== null) {
    own.SCRIP_RPC_PORT = String(plan.rpcPort);
    own.DATABASE_URL = (shared.ownDatabaseUrls?.[plan.name] ?? shared.databaseUrl).reveal();
    own.SCRIP_MASTER_KEY = shared.masterKey.reveal();
  }
  Object.assign(own, handedOn(plan, inherited));
  return { ...others, ...own, ...(plan.name === 'auth' ? demoProject(shared) : {}) };
};
