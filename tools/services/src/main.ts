// npm run start:services [-- --replicas campaigns=2,qualification=2]: every service and the gateway, each a process.
import { OtherShapesData } from '@scrip/data-directory';
import { DataDirectoryInUse } from '@scrip/embedded-postgres';
import { readSettings, runProgram } from '@scrip/service';
import { parseArgs } from 'node:util';
import { replicasOf } from './plan';
import { runServices } from './run-services';
import { StartFailure } from './start-failure';

void runProgram(async () => {
  const { values } = parseArgs({ options: { replicas: { type: 'string', default: '' } } });
  await runServices(readSettings({ ...process.env, SCRIP_SERVICES: undefined }), replicasOf(values.replicas));
}, [DataDirectoryInUse, OtherShapesData, StartFailure]);
