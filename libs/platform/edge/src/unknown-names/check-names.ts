import { beginningOf, didYouMean } from '@scrip/kernel/pure';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import { FormUpload } from '../upload/form-upload';
import type { HandlerNames } from './handler-names';
import { ignoredHeader, ignoredNames } from './ignored-header';
import { type UnknownName, unknownNames, unknownNamesOfBody } from './unknown-names';

/** Says that the request was read strictly. Source: RFC 7240 §3. */
export const preferenceAppliedHeader = 'Preference-Applied';

/** The preference of `Prefer` for refusing unknown names. Source: RFC 7240 §4.4. */
export const strictHandling = 'handling=strict';

const strictPreference = /(?:^|[,;])\s*handling\s*=\s*"?strict"?\s*(?=$|[,;])/i;

const wantsStrictness = ({ headers: { prefer } }: FastifyRequest): boolean =>
  prefer !== undefined && strictPreference.test(String(prefer));

const longestTold = 100;

/** Parameters of many lists. One that ignores them answers everything, page 1 for ever behind a cursor. */
const narrowing = ['filters', 'starting_after_id'];

const notOfList = ({ name, known }: UnknownName): string =>
  `Property .${name} is not taken by this list. ` +
  (known.length === 0 ? 'It takes no parameters' : `Its parameters are [ ${known.join(', ')} ]`);

const sentenceOf = ({ at, name, known }: UnknownName): string => {
  const told = `Property ${at}.${beginningOf(name, longestTold)} is not known`;
  const meant = didYouMean(name, known, (one) => `${at}.${one}`);
  return meant === null ? told : `${told}. ${meant}`;
};

/** Names in the header `X-Scrip-Ignored` what of a request nothing reads; where the caller prefers strict handling, throws
 *  `EdgeFailure` (400 `invalid_payload` or `invalid_query_params`) for the first such name instead. Fields of a form with a
 *  file are named while it is read. `filters` and `starting_after_id` of a list that has none are refused always. Source: reference
 *  07 §1.1, §1.4. */
export const checkNames = async (
  request: FastifyRequest,
  reply: FastifyReply,
  names: HandlerNames,
): Promise<void> => {
  const isStrict = wantsStrictness(request);
  const query = unknownNames(request.query, names.query);
  const form = request.body instanceof FormUpload ? request.body : null;
  const body = form ? [] : await unknownNamesOfBody(request.body, names.body);
  const tell = (): void => {
    const ignored = ignoredNames(body, query);
    if (ignored !== null) void reply.header(ignoredHeader, ignored);
    const ofOthers = names.lists && query.find(({ at, name }) => at === '' && narrowing.includes(name));
    if (ofOthers) throw new EdgeFailure(failures.invalidQuery(notOfList(ofOthers)));
    if (!isStrict) return;
    const [inQuery] = query;
    if (inQuery) throw new EdgeFailure(failures.invalidQuery(sentenceOf(inQuery)));
    const [inBody] = body;
    if (inBody) throw new EdgeFailure(failures.invalidPayload(sentenceOf(inBody)));
  };
  if (isStrict) void reply.header(preferenceAppliedHeader, strictHandling);
  if (form)
    form.expect([...(names.body.names?.keys() ?? [])], (field) => {
      body.push({ at: '', ...field });
      tell();
    });
  tell();
};
