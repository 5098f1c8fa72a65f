import { MainJob } from './main-job';
import { startReceiver } from './receiver';
import { findServer } from './server';
import { Transcript } from './transcript';

const main = async (): Promise<void> => {
  const transcript = new Transcript((text) => process.stdout.write(text));
  const server = await findServer();
  const receiver = await startReceiver(server.credentials.webhook_token);
  try {
    await new MainJob(server.credentials, receiver, transcript).run();
    process.stdout.write(`\nThe whole main job went as promised: ${transcript.checked} checks.\n`);
  } finally {
    receiver.close();
    await server.close();
  }
};

main().catch((error: unknown) => {
  process.stderr.write(`\n${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}\n`);
  process.exitCode = 1;
});
