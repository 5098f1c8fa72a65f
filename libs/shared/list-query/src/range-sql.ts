import type { AddValue } from './filter-column';

/** A range of times as callers send it, both ends excluded. */
export interface TimeRange {
  after?: string | undefined;
  before?: string | undefined;
}

/** Conditions that a time lies in a range; `slack`, an interval, widens it at both ends. */
export const rangeSql = (
  column: string,
  { after, before }: TimeRange,
  add: AddValue,
  slack = '',
): string[] => [
  ...(after ? [`${column} > ${add(after)}::timestamptz${slack && ` - ${slack}`}`] : []),
  ...(before ? [`${column} < ${add(before)}::timestamptz${slack && ` + ${slack}`}`] : []),
];
