// npm run kafka:down: stops the Kafka node of the data directory, and nothing else; its data stays.
import { kafkaFolder } from './data-folder';
import { endProcess } from './end-process';
import { runningBroker, unregister } from './registration';

const main = async (): Promise<void> => {
  const folder = kafkaFolder();
  const running = runningBroker(folder);
  if (!running) {
    process.stdout.write(`no Kafka runs on ${folder}\n`);
    return;
  }
  await endProcess(running.pid);
  unregister(folder, running.pid);
  process.stdout.write(`Kafka (process ${running.pid}) has stopped; its data is kept in ${folder}\n`);
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
