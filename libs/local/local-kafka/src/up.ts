// npm run kafka:up [-- --port 9092]: one Kafka node that runs on until npm run kafka:down; data in <data directory>/kafka.
import { parseArgs } from 'node:util';
import { kafkaFolder } from './data-folder';
import { runningBroker } from './registration';
import { startKafka } from './start-kafka';

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '9092' } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`--port must be a whole number from 1 to 65535, not "${values.port}"`);
  const folder = kafkaFolder();
  const running = runningBroker(folder);
  if (running) {
    process.stdout.write(`Kafka runs already at 127.0.0.1:${running.port} (process ${running.pid})\n`);
    return;
  }
  const startedAt = performance.now();
  const server = await startKafka({ dataDir: folder, port, outlives: true });
  const afterMs = Math.round(performance.now() - startedAt);
  process.stdout.write(`Kafka runs at ${server.brokers} after ${afterMs} ms (process ${server.pid})
data and log: ${folder}
use it:       SCRIP_KAFKA_BROKERS=${server.brokers}
stop it:      npm run kafka:down
`);
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
