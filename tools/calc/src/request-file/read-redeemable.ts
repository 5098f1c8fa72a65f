import { isRefused, parseInstant } from '@scrip/kernel';
import { type CompiledRule, compileRule } from '@scrip/rules';
import type { Candidate, CandidateStack } from '@scrip/order-preview';
import { tierRefusal, voucherRefusal } from '../usability';
import { formulaProblems } from './formula-problems';
import { type InputProblem, below } from './input-problem';
import { readIncentive, rivalsOf } from './read-incentive';
import type { PromotionTierEntry, RequestFile, VoucherEntry } from './request-file';

type IncentiveEntry = VoucherEntry | PromotionTierEntry;

/** What reading redeemables needs of the rest of the file. Problems are added to `problems`. */
export interface Reading {
  readonly now: Date;
  readonly timezone: string;
  readonly problems: InputProblem[];
}

const dateProblems = (entry: IncentiveEntry, path: string): InputProblem[] =>
  (['start_date', 'expiration_date'] as const).flatMap((name) =>
    entry[name] == null || parseInstant(entry[name])
      ? []
      : [
          {
            path: below(path, name),
            message: `must be an instant in UTC, not ${JSON.stringify(entry[name])}`,
          },
        ],
  );

const instantOf = (text: string | null | undefined): string | null =>
  text == null ? null : (parseInstant(text)?.toISOString() ?? null);

/** The entry with its dates as the API stores them, however they are written. */
const withInstants = (sent: IncentiveEntry): IncentiveEntry => ({
  ...sent,
  start_date: instantOf(sent.start_date),
  expiration_date: instantOf(sent.expiration_date),
});

/** The compiled rules of an entry; rules without an id are named by their position. */
const readRules = (
  { validation_rules: sent = [] }: IncentiveEntry,
  path: string,
  problems: InputProblem[],
): CompiledRule[] =>
  sent.flatMap((definition, index) => {
    const rulePath = below(below(path, 'validation_rules'), index);
    const rule = compileRule(definition, definition.id ?? `val_${index + 1}`);
    if (!isRefused(rule)) return [rule];
    problems.push({ path: rulePath, message: rule.details ?? rule.refused });
    return [];
  });

const publicationOf = (entry: IncentiveEntry) =>
  'publication' in entry ? entry.publication?.metadata : undefined;

const factsOf = (entry: IncentiveEntry): Candidate['redeemable']['facts'] => {
  const startDate = entry.start_date ?? null;
  const expirationDate = entry.expiration_date ?? null;
  return {
    redeemableMetadata: entry.metadata,
    publicationMetadata: publicationOf(entry),
    ...(entry.object === 'voucher'
      ? {
          voucher: {
            redemptionQuantity: entry.redemption?.quantity ?? null,
            redeemedQuantity: entry.redemption?.redeemed_quantity ?? 0,
            publishCount: entry.publish?.count ?? 0,
            startDate,
            expirationDate,
          },
        }
      : { promotionTier: { startDate, expirationDate } }),
  };
};

const readCandidate = (sent: IncentiveEntry, path: string, reading: Reading): Candidate | null => {
  const { problems } = reading;
  const rivals = rivalsOf(sent);
  if (rivals.length > 0) problems.push({ path, message: `must not have ${rivals.join(' and ')} together` });
  problems.push(...dateProblems(sent, path), ...formulaProblems(sent.discount, below(path, 'discount')));
  const entry = withInstants(sent);
  const rules = readRules(entry, path, problems);
  const read = readIncentive(entry);
  if ('missing' in read) {
    problems.push({ path, message: `must have ${read.missing}` });
    return null;
  }
  const { object, id, campaign_id: campaignId, categories, counters = {} } = entry;
  return {
    redeemable: { object, id, campaignId, categories, incentive: read.incentive, facts: factsOf(entry) },
    rules,
    label: read.label,
    unusable: entry.object === 'voucher' ? voucherRefusal(entry, reading) : tierRefusal(entry, reading),
    isHeld: 'held_by_customer' in entry && entry.held_by_customer === true,
    counted: (ruleName) => counters[ruleName] ?? 0,
  };
};

/** Reads one element of `redeemables`; null where it has problems that leave nothing to evaluate. */
export const readRedeemable = (
  entry: RequestFile['redeemables'][number],
  path: string,
  reading: Reading,
): Candidate | CandidateStack | null => {
  if (entry.object !== 'promotion_stack') return readCandidate(entry, path, reading);
  const { object, id, categories } = entry;
  const tiers = entry.tiers.flatMap(
    (tier, index) => readCandidate(tier, below(below(path, 'tiers'), index), reading) ?? [],
  );
  return { object, id, categories, tiers };
};
