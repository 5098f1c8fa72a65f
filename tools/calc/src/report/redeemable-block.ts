import { calculationMessages, skipMessages } from '@scrip/order-calculation';
import { usabilityMessages } from '@scrip/vouchers';
import { type Calculation, violationsOf } from '@scrip/order-preview';
import { bundleText, incentiveText, scopeLines } from './incentive-lines';
import { touchedLines } from './line-table';
import type { ReportStyle } from './style';

type Outcome = Calculation['redeemables'][number];
type OutcomeOf<Status extends Outcome['status']> = Extract<Outcome, { status: Status }>;
type Violation = ReturnType<typeof violationsOf>[number];

const violationText = ({ ruleId, path, name, property, operator, expected, actual }: Violation): string => {
  if (path === 'bundle_rules') return `${ruleId}: its bundle is not in the order`;
  const condition = operator === null ? 'has nothing to look at' : `${operator} ${JSON.stringify(expected)}`;
  const measured = property === null ? name : `${name} '${property}'`;
  return `${ruleId} rule ${path}: ${measured} ${condition}, found ${JSON.stringify(actual)}`;
};

const messages: Readonly<Record<string, string>> = {
  ...calculationMessages,
  ...usabilityMessages,
  promotion_inactive: 'Inactive Promotion',
  promotion_not_active_now: 'promotion not active now',
};

const textOf = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? [value] : []);

const inapplicableLines = ({ refusal, bundle }: OutcomeOf<'INAPPLICABLE'>): string[] => [
  ...textOf(refusal.message ?? messages[refusal.refused]),
  ...textOf(refusal.details),
  ...textOf(refusal.customMessage).map((text) => `text of the rule: ${text}`),
  ...violationsOf(refusal).map(violationText),
  ...(bundle ? [bundleText(bundle)] : []),
];

const applicableLines = (outcome: OutcomeOf<'APPLICABLE'>, style: ReportStyle): string[] => {
  const { result, order } = outcome;
  const ofOrder = order?.applied_discount_amount ?? 0;
  return [
    incentiveText(result, style),
    ...(result.bundle ? [bundleText(result.bundle)] : []),
    ...scopeLines(outcome),
    ...(order ? touchedLines(order, style) : []),
    ...(ofOrder > 0 ? [`off the order: ${style.amount(ofOrder)}`] : []),
  ];
};

const headline = (outcome: Outcome, style: ReportStyle): string => {
  const { colours, amount } = style;
  switch (outcome.status) {
    case 'APPLICABLE': {
      const status = colours.green(outcome.status);
      const { order } = outcome;
      if (order?.total_amount === undefined) return status;
      const off = amount(order.total_applied_discount_amount ?? 0);
      return `${status}  ${off} off, ${amount(order.total_amount)} left`;
    }
    case 'SKIPPED':
      return `${colours.yellow(outcome.status)}  ${outcome.reason}`;
    case 'INAPPLICABLE':
      return `${colours.red(outcome.status)}  ${outcome.refusal.refused}`;
  }
};

const detailLines = (outcome: Outcome, style: ReportStyle): string[] => {
  switch (outcome.status) {
    case 'APPLICABLE':
      return applicableLines(outcome, style);
    case 'SKIPPED':
      return [skipMessages[outcome.reason]];
    case 'INAPPLICABLE':
      return inapplicableLines(outcome);
  }
};

/** Returns the lines about one redeemable: its status and the reason. `position`: from 1, in processing order. */
export const redeemableBlock = (outcome: Outcome, position: number, style: ReportStyle): string[] => {
  const name = style.colours.bold(`${position}. ${outcome.object} ${outcome.id}`);
  return [`${name}  ${headline(outcome, style)}`, ...detailLines(outcome, style).map((line) => `   ${line}`)];
};
