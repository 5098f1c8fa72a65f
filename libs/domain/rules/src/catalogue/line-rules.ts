import { unitPriceOf } from '@scrip/order-calculation';
import type { Line, Measure, RuleEntry } from './rule-entry';

const amountOf = (lines: readonly Line[]): number => {
  let amount = 0;
  for (const line of lines) amount += line.amount ?? 0;
  return amount;
};

const unitsOf = (lines: readonly Line[]): number => {
  let units = 0;
  for (const line of lines) units += line.quantity;
  return units;
};

/** A rule below a rule about lines: it is evaluated with its parent. */
export const lineRule = (name: string, measure: Measure): RuleEntry => ({
  name,
  group: 'order',
  qualifies: true,
  measure,
});

export const aggregatedAmount = (name: string): RuleEntry =>
  lineRule(name, { of: 'matchedLines', kind: 'number', value: ({ matched }) => amountOf(matched) });

export const aggregatedQuantity = (name: string): RuleEntry =>
  lineRule(name, { of: 'matchedLines', kind: 'number', value: ({ matched }) => unitsOf(matched) });

export const linePrice = (name: string): RuleEntry =>
  lineRule(name, { of: 'matchedLine', kind: 'number', value: unitPriceOf });

export const lineQuantity = (name: string): RuleEntry =>
  lineRule(name, { of: 'matchedLine', kind: 'number', value: ({ quantity }) => quantity });
