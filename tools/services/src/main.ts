// npm run start:services [-- --replicas campaigns=2,qualification=2]: every service and the gateway, each a process.
import { OtherShapesData } from '@scrip/data-directory';
import { DataDirectoryInUse } from '@scrip/embedded-postgres';
import { readSettings, runProgram } from '@scrip/service';
import { parseArgs } from 'node:util';
import { replicasOf } from './plan';
import { runServices } from './run-services';
import { StartFailure } from './start-failure';

const usage = 'npm run start:services [-- --replicas campaigns=2,qualification=2]\n';

const asked = (): { replicas: string; help: boolean } => {
  try {
    return parseArgs({
      options: {
        replicas: { type: 'string', default: '' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
};

const { replicas, help } = asked();
if (help) {
  process.stdout.write(usage);
} else {
  void runProgram(async () => {
    await runServices(readSettings({ ...process.env, SCRIP_SERVICES: undefined }), replicasOf(replicas));
  }, [DataDirectoryInUse, OtherShapesData, StartFailure]);
}
