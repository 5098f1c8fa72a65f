import { EdgeFailure, failures } from '@scrip/edge';

/** What a row that is no record fails with. */
export const refuseRow = (details: string): EdgeFailure => new EdgeFailure(failures.invalidPayload(details));
