import { publicRoutes } from '@scrip/contracts/registry';
import { type JsonSchema, routesOfControllers } from '@scrip/edge';
import { join } from 'node:path';
import * as markdown from 'prettier/plugins/markdown';
import { format } from 'prettier/standalone';
import { allControllers } from '../openapi/contexts';
import { repositoryRoot } from '../types/source-program';
import { type ErrorKey, errorCatalogue } from './error-catalogue';
import { meanings } from './meanings';

/** Where the page is kept. */
export const errorsPageFile = join(repositoryRoot, 'docs/errors.md');

const introduction = `# Errors

Every failure has one shape:

\`\`\`json
{
  "code": 400,
  "key": "invalid_payload",
  "message": "Invalid payload",
  "details": "Property .order.amount must be integer",
  "request_id": "v-0190f2c1e5a7b3d4c6"
}
\`\`\`

- \`code\` is the HTTP status. Programs tell failures apart by \`key\`; \`message\` and \`details\` are for people and may change.
- \`details\` names the property by its path in the body (\`.order.items[0].price\`) and says what would be right.
- \`request_id\` stands in logs, events and the header \`X-Request-Id\`.
- \`resource_type\` and \`resource_id\` name what the failure is about. A refused redemption is recorded: there they name
  that record (\`redemption\`, \`rf_…\`), and \`redeemable_type\` and \`redeemable_id\` the code that was refused. 429 has \`code\` and \`message\` only, and \`Retry-After\`.
- Bodies that are no JSON and bodies that are too large further carry \`statusCode\` (the status once more) and \`error\` (its
  name).
- Names that a call does not know are no failure: they are listed in \`X-Scrip-Ignored\`, and refused only with
  \`Prefer: handling=strict\`.
- A redeemable that does not apply is no failure of \`POST /v1/validations\`: its \`result.error\` has the same shape, within 200.

**What to repeat.** 429 and 503 after \`Retry-After\`; 409 \`idempotency_key_in_use\`, 400 \`multiple_requests\`, 408 and 500 with the
same \`Idempotency-Key\`, which keeps its answer for 24 hours, a refusal too, but none of these. Everything else fails again unless the request or the state changes.

**Codes and case.** Codes keep the spelling that they were made with. Whether \`spring-1\` finds \`SPRING-1\` is a setting of the
project (\`case_sensitive_codes\`, fixed when it is made). The first project of an installation tells upper from lower case, so
\`spring-1\` is 404 \`not_found\` there.

The API description lists the keys of each operation. All of them, written by \`npm run docs:errors\`:

`;

const listedMax = 4;

/** All operations that ask for credentials. */
const counted = publicRoutes.filter(({ area }) => area !== 'open').length;

const whereOf = ({ key, operations }: ErrorKey): string => {
  if (key === 'method_not_allowed' || operations.length >= counted) return 'every call';
  if (operations.length > listedMax) return `${operations.length} operations`;
  return operations.map((operation) => `\`${operation}\``).join(', ');
};

const rowOf = (error: ErrorKey): string =>
  [
    `\`${error.key}\``,
    error.statuses.join(', '),
    error.message,
    meanings[error.key] ?? '',
    whereOf(error),
  ].join(' | ');

/** The page: the shape of failures and the catalogue of their keys. `document`: what OpenAPI says of the routes. */
export const errorsPage = async (document: JsonSchema): Promise<string> => {
  const rows = errorCatalogue(document, routesOfControllers(allControllers())).map(rowOf);
  const table = ['Key | Status | Message | Meaning | Answered by', '--- | --- | --- | --- | ---', ...rows];
  const page = `${introduction}${table.map((row) => `| ${row} |`).join('\n')}\n`;
  return format(page, { parser: 'markdown', plugins: [markdown], printWidth: 110, singleQuote: true });
};
