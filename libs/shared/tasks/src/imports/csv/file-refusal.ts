import { EdgeFailure, failures } from '@scrip/edge';

/** The 400 of a file that cannot be read, or of a field beside it. */
export const refuseUpload = (details: string): EdgeFailure =>
  new EdgeFailure(failures.invalidPayload(details));

/** The same, of the file itself. */
export const refuseFile = (flaw: string): EdgeFailure => refuseUpload(`Property .file ${flaw}`);
