import { bootstrapVariables } from './variables/bootstrap.variables';
import { databaseVariables } from './variables/database.variables';
import { distributionVariables } from './variables/distribution.variables';
import { edgeVariables } from './variables/edge.variables';
import { filesVariables } from './variables/files.variables';
import { processVariables } from './variables/process.variables';
import { runningVariables } from './variables/running.variables';
import { usersVariables } from './variables/users.variables';
import { webhooksVariables } from './variables/webhooks.variables';

/** Every environment variable that Scrip reads. `docs/configuration.md` is written from this table. */
export const environmentTable = [
  ...processVariables,
  ...databaseVariables,
  ...distributionVariables,
  ...edgeVariables,
  ...webhooksVariables,
  ...bootstrapVariables,
  ...usersVariables,
  ...filesVariables,
  ...runningVariables,
] as const;

export type { Variable } from './variables/variable';

/** Names of the variables that exist. */
export type VariableName = (typeof environmentTable)[number]['name'];
