// npm run start:services [-- --replicas campaigns=2,qualification=2]: every service and the gateway, each a process.
import { OtherShapesData } from '@scrip/data-directory';
import { DataDirectoryInUse } from '@scrip/embedded-postgres';
import { readCommandLine, readSettings, runProgram } from '@scrip/service';
import { replicasOf } from './plan';
import { runServices } from './run-services';
import { StartFailure } from './start-failure';

const usage = 'npm run start:services [-- --replicas campaigns=2,qualification=2]';

const {
  values: { replicas },
} = readCommandLine(usage, { replicas: { type: 'string', default: '' } });

void runProgram(async () => {
  await runServices(readSettings({ ...process.env, SCRIP_SERVICES: undefined }), replicasOf(replicas));
}, [DataDirectoryInUse, OtherShapesData, StartFailure]);
