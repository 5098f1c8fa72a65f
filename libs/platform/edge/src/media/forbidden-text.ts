import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';

const cannotBeStored = 'cannot contain NUL characters or lone surrogates';

/** The 400 for a text that cannot be stored, named by its path. */
export const forbiddenText = (path: string): EdgeFailure =>
  new EdgeFailure(
    failures.invalidPayload(path === '' ? `Payload ${cannotBeStored}` : `Property ${path} ${cannotBeStored}`),
  );
