import { kafkaFolder, type KafkaServer, runningBroker, startKafka } from '@scrip/local-kafka';
import type { ProcessLog } from './process-log';
import { StartFailure } from './start-failure';

/** The brokers that carry the events of these services. */
export interface KafkaOfServices {
  /** `host:port`, comma-separated. */
  readonly brokers: string;
  stop(): Promise<void>;
}

const firstPauseMs = 200;
const longestPauseMs = 5_000;

/** Starts a broker again whenever it ends by itself. */
const keepRunning = (kafka: KafkaServer, log: ProcessLog): { stop(): Promise<void> } => {
  let isStopping = false;
  const startAgain = async (): Promise<void> => {
    for (let pauseMs = firstPauseMs; !isStopping; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      log.note(`Kafka ended; its log is ${kafka.logFile}: it is started again in ${pauseMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (isStopping) return;
      try {
        await kafka.start();
        return watch();
      } catch (error) {
        log.note(String(error));
      }
    }
  };
  const watch = (): void => void kafka.lost.then(startAgain);
  watch();
  return {
    stop: async () => {
      isStopping = true;
      await kafka.stop();
    },
  };
};

/** Returns the brokers that `given` names; else the broker of `npm run kafka:up` where it runs, which then stays;
 *  else one of its own, with its data in the data directory. Throws `Error` saying what is missing to start one. */
export const kafkaOfServices = async (
  dataDir: string,
  given: string | undefined,
  log: ProcessLog,
): Promise<KafkaOfServices> => {
  if (given) return { brokers: given, stop: async () => undefined };
  const folder = kafkaFolder(dataDir);
  const running = runningBroker(folder);
  if (running?.ownerPid === null)
    return { brokers: `127.0.0.1:${running.port}`, stop: async () => undefined };
  const kafka = await startKafka({ dataDir: folder }).catch((error: Error) => {
    throw new StartFailure(error.message, { cause: error });
  });
  log.note(`Kafka runs at ${kafka.brokers} (process ${kafka.pid}, log ${kafka.logFile})`);
  return { brokers: kafka.brokers, stop: keepRunning(kafka, log).stop };
};
