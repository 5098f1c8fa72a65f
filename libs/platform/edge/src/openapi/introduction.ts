import { apiVersions } from '../request/api-version';
import {
  bodyLimitBytes,
  bulkLimitBytes,
  clientLimitBytes,
  formLimitBytes,
  uploadLimitBytes,
} from '@scrip/contracts/registry';
import type { JsonSchema } from './json-schema';

/** Info object of the document. */
export const introduction: JsonSchema = {
  title: 'Scrip',
  summary: 'Promotion engine: campaigns, vouchers, validation and redemption.',
  description: `Rules of every call:

- JSON in UTF-8. Money is an integer in minor units, the major value times 100 whatever the currency. Times are ISO 8601 in
  UTC with milliseconds.
- Names in a body or a query that the call does not know are ignored, and listed in the answer's header
  \`X-Scrip-Ignored\`. With \`Prefer: handling=strict\` they are refused with 400.
- Clients ignore properties and kinds that they do not know.
- Lengths of texts count UTF-16 units. Texts with NUL characters or lone surrogates are refused.
- Lists of a query are sent as \`name[]=a&name[]=b\`, objects as \`name[member]=value\`, also nested.
- A body has at most ${bodyLimitBytes} bytes, on the client-side API ${clientLimitBytes}, of a token endpoint ${formLimitBytes},
  a form with a file ${uploadLimitBytes}, imports and bulks as JSON ${bulkLimitBytes}. It arrives before the call's time for an answer is over, or the call is ended with 408.
- A known path with another method answers 405 and names the methods that it has in \`Allow\`.
- Ids and \`source_id\`s are case-sensitive. Codes of vouchers are, too, unless the project was made with
  \`case_sensitive_codes: false\`; they keep their spelling.
- All failures have one shape, the schema \`Error\`; programs tell them apart by \`key\`.
- POST takes an \`Idempotency-Key\`: a repetition gets the first answer. After a 503, \`multiple_requests\` or a lost connection
  repeat the call with the same key.

This document describes version ${apiVersions.join(', ')} of the API.`,
  version: apiVersions.at(-1),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};
