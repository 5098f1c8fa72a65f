import { endWithThisProcess } from '@scrip/local-kafka';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Offered, takeOffer } from './offer';
import { patientAnswers } from './patient-answers';
import {
  type ScripCredentials,
  type ScripProject,
  discard,
  projectAt,
  serversOfThisRun,
  startScrip,
} from './scrip-process';
import { testedShape } from './scrip-program';

/** Where suites ask for the Scrip that they share. */
export const sharedScripVariable = 'SCRIP_TEST_SHARED_SCRIP';

/** Password of the user `admin` of the shared Scrip; to be changed at the first sign-in. A suite that changes it changes it back. */
export const adminPassword = 'h3kx7cw2mzp9f4rty6bd';

const makeProjects = resolve(__dirname, '../../../../tools/test/make-projects.cjs');
/** Starting the program that makes them takes far longer than making them. */
const projectsAtOnce = 30;

type Keys = Omit<ScripCredentials, 'base_url' | 'webhook_token'>;

/** What suites are told of it. */
interface Told {
  origin: string;
  dataDir: string;
  databaseUrl: string;
  kafka: { brokers: string; namespace: string } | null;
  keys: Keys;
}

/** A project of the Scrip that the suites of this run share. */
export interface SharedScrip extends ScripProject {
  /** Its data directory, with the credentials of its first project, which no suite gets as its own. */
  readonly dataDir: string;
  /** Its database, as a superuser: for what a test does to rows that no call reaches. */
  readonly databaseUrl: string;
  /** Null in the embedded shape. */
  readonly kafka: { readonly brokers: string; readonly namespace: string } | null;
}

/** Starts Scrip in the shape that this run is about, for all suites of the run. Calls of browsers are not limited. */
export const startSharedScrip = async (): Promise<Offered> => {
  const { databaseUrl, environment } = await serversOfThisRun(testedShape());
  const scrip = await startScrip({
    databaseUrl,
    choosesKeys: true,
    environment: {
      ...patientAnswers,
      ...environment,
      SCRIP_CLIENT_CALLS_PER_5_SECONDS: '1000000',
      SCRIP_ADMIN_PASSWORD: adminPassword,
      SCRIP_PASSWORD_COST: '14',
    },
  });
  endWithThisProcess(scrip.pid);
  const { SCRIP_KAFKA_BROKERS: brokers, SCRIP_KAFKA_NAMESPACE: namespace } = environment;
  const make = async (): Promise<Keys[]> => {
    const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl, SCRIP_DATA_DIR: scrip.dataDir };
    const { stdout } = await promisify(execFile)(process.execPath, [makeProjects, String(projectsAtOnce)], {
      env,
    });
    return JSON.parse(stdout) as Keys[];
  };
  let unused: Promise<Keys[]> = Promise.resolve([]);
  return {
    answer: async () => {
      const left = unused.then((some) => (some.length > 0 ? some : make()));
      unused = left.then((some) => some.slice(1));
      unused.catch(() => undefined); // The error reaches the suite that asks.
      const [keys] = (await left) as [Keys];
      const told: Told = {
        origin: scrip.origin,
        dataDir: scrip.dataDir,
        databaseUrl,
        kafka: brokers && namespace ? { brokers, namespace } : null,
        keys,
      };
      return JSON.stringify(told);
    },
    stop: () => discard(scrip),
  };
};

/** Returns a project of its own in the Scrip that all suites of this run share, which the first caller starts. The project
 *  trusts `https://shop.example.com`, whose browsers may redeem. For suites that only call the API: what is restarted,
 *  configured or looked at from inside is started by the suite itself. Throws `Error` where Scrip does not start. */
export const sharedScrip = async (): Promise<SharedScrip> => {
  const url = process.env[sharedScripVariable];
  if (!url) throw new Error('the shared Scrip exists in *.int, *.e2e and *.long specs only');
  const { origin, keys, dataDir, databaseUrl, kafka } = JSON.parse(await takeOffer(url)) as Told;
  // Nothing reads the secret of its webhooks: it can be had by rotating it.
  const credentials = { ...keys, base_url: origin, webhook_token: '' };
  return { ...projectAt(origin, credentials), dataDir, databaseUrl, kafka };
};
