import { OtherShapesData } from '@scrip/data-directory';
import { DataDirectoryInUse } from '@scrip/embedded-postgres';
import { readSettings, runProgram } from '@scrip/service';
import { OtherMasterKey, runScrip } from './run-scrip';

void runProgram(
  () => runScrip(readSettings(process.env)),
  [DataDirectoryInUse, OtherShapesData, OtherMasterKey],
);
