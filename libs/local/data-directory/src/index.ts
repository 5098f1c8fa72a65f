export {
  type ChosenDemoKeys,
  type Credentials,
  type DemoKeys,
  chosenDemoKeysOf,
  demoKeysOf,
  storeCredentials,
} from './credentials';
export { openDataDirectory } from './data-directory';
export { firstUserNote } from './first-user-note';
export { masterKeyOf } from './master-key';
export { createPrivateFile, replacePrivateFile } from './private-file';
export { OtherShapesData, checkShape, keepShape } from './shape-of-data';
export { welcome } from './welcome';
