import { isTimeZone, parseInstant } from '@scrip/kernel';
import type { EvaluationRequest } from '@scrip/order-preview';
import { type InputProblem, below } from './input-problem';
import { parseJson } from './parse-json';
import { catalogueProblems, readCatalogue } from './read-catalogue';
import { orderMetadataOf, readOrder } from './read-order';
import { readRedeemable } from './read-redeemable';
import type { PromotionTierEntry, RequestFile, VoucherEntry } from './request-file';
import { readSettings } from './read-settings';
import { requestProblems } from './request-problems';
import { checkShape } from './schema-problems';

const customerOf = ({ customer }: RequestFile): EvaluationRequest['customer'] =>
  customer
    ? {
        segments: customer.segments ?? [],
        tiers: customer.loyalty_tiers ?? [],
        metadata: customer.metadata ?? {},
      }
    : null;

const entriesOf = (
  entry: RequestFile['redeemables'][number],
): readonly (VoucherEntry | PromotionTierEntry)[] =>
  entry.object === 'promotion_stack' ? entry.tiers : [entry];

const unitsUsedIn = (file: RequestFile): EvaluationRequest['context']['unitsUsed'] => {
  const entries = new Map(
    file.redeemables.flatMap(entriesOf).map((entry) => [`${entry.object} ${entry.id}`, entry]),
  );
  return ({ limit, item }, { object, id }) =>
    entries.get(`${object} ${id}`)?.units_used?.[limit]?.[item] ?? 0;
};

const readFile = (file: RequestFile, clock: Date): EvaluationRequest | InputProblem[] => {
  const problems: InputProblem[] = [];
  const now = file.now === undefined ? clock : parseInstant(file.now);
  if (!now)
    problems.push({ path: 'now', message: `must be an instant in UTC, not ${JSON.stringify(file.now)}` });
  const { timezone = 'UTC', metadata = {} } = file;
  if (!isTimeZone(timezone)) {
    problems.push({
      path: 'timezone',
      message: `must be an IANA time zone, not ${JSON.stringify(timezone)}`,
    });
    return problems;
  }
  const settings = readSettings(file, problems);
  problems.push(...requestProblems(file, settings));
  problems.push(...catalogueProblems(file.catalogue ?? {}));
  const catalogue = readCatalogue(file.catalogue ?? {});
  const order = readOrder(file, catalogue, problems);
  const reading = { now: now ?? clock, timezone, problems };
  const requested = file.redeemables.flatMap((entry, index) => {
    const read = readRedeemable(entry, below('redeemables', index), reading);
    return read ? [read] : [];
  });
  if (problems.length > 0) return problems;
  const customer = customerOf(file);
  const orderMetadata = orderMetadataOf(file);
  const birthdate = file.customer?.birthdate ?? file.customer?.birthday ?? null;
  return {
    order,
    requested,
    settings,
    customer,
    redemption: { metadata, apiKeyId: file.api_key ?? null, userLogin: file.user_login ?? null },
    orderMetadata,
    messages: file.error_messages ?? {},
    context: {
      now: reading.now,
      timezone,
      catalogue,
      unitsUsed: unitsUsedIn(file),
      facts: {
        customer: customer && { metadata: customer.metadata, birthdate },
        redemptionMetadata: metadata,
        orderMetadata,
      },
    },
  };
};

/** Reads the text of a request file (see `RequestFile`), or tells everything that is wrong with it. `clock`: the present,
 *  for files that don't say when. */
export const readRequest = (text: string, clock: Date): EvaluationRequest | InputProblem[] => {
  const json = parseJson(text);
  if ('message' in json) return [json];
  const file = checkShape(json.value);
  return Array.isArray(file) ? file : readFile(file, clock);
};
