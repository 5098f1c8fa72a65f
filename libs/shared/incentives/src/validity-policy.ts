import { type Refusal, refuse } from '@scrip/kernel';
import type { ValidityWindows } from '@scrip/vouchers';
import { Duration } from 'luxon';

/** Recurring windows as callers send them. */
export interface WindowsInput {
  start_date?: string | null | undefined;
  expiration_date?: string | null | undefined;
  validity_timeframe?: ValidityWindows['validity_timeframe'] | undefined;
  validity_day_of_week?: ValidityWindows['validity_day_of_week'] | undefined;
  validity_hours?: ValidityWindows['validity_hours'] | undefined;
  activity_duration_after_publishing?: string | null | undefined;
}

type Policy = (input: WindowsInput) => string | null;

/** `HH:mm` or `HH:mm:ss`, two digits each, below 24 hours. */
const timeForm = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** A hundred years: dates behind it would leave the four digits of their year. */
const longestMs = Duration.fromObject({ years: 100 }).toMillis();

/** No part may be negative: by the calendar such a duration is as long as another, which nothing could count in. */
const isPositiveDuration = (text: string): boolean => {
  const duration = Duration.fromISO(text);
  if (!duration.isValid) return false;
  const length = duration.toMillis();
  return length > 0 && length <= longestMs && Object.values(duration.toObject()).every((part) => part >= 0);
};

const timeframeMustHaveDurations: Policy = ({ validity_timeframe: timeframe }) => {
  if (!timeframe) return null;
  const wrong = (['interval', 'duration'] as const).find((name) => !isPositiveDuration(timeframe[name]));
  return wrong ? `Property .validity_timeframe.${wrong} should be an ISO 8601 duration` : null;
};

const timeframeMustHaveAStart: Policy = ({ validity_timeframe: timeframe, start_date }) =>
  timeframe && !start_date ? 'Property .validity_timeframe requires .start_date' : null;

const hoursMustStandAlone: Policy = ({ validity_hours: hours, validity_timeframe, validity_day_of_week }) =>
  hours && (validity_timeframe || validity_day_of_week)
    ? 'Property .validity_hours cannot be combined with .validity_timeframe or .validity_day_of_week'
    : null;

/** A time of either form as `HH:mm:ss`; such texts sort as the times do. */
const withSeconds = (time: string): string => (time.length === 5 ? `${time}:00` : time);

const hoursMustBeTimes: Policy = ({ validity_hours: hours }) => {
  for (const [index, { start_time, expiration_time, days_of_week }] of (hours?.daily ?? []).entries()) {
    const path = `.validity_hours.daily[${index}]`;
    if (days_of_week.length === 0) return `Property ${path}.days_of_week should NOT have fewer than 1 items`;
    if (!timeForm.test(start_time)) return `Property ${path}.start_time should be a time of the form HH:mm`;
    if (!expiration_time) continue;
    if (!timeForm.test(expiration_time))
      return `Property ${path}.expiration_time should be a time of the form HH:mm`;
    if (withSeconds(expiration_time) <= withSeconds(start_time))
      return `Property ${path}.expiration_time should be after start_time`;
  }
  return null;
};

const endOfDay = '24:00';

const hoursMustNotOverlap: Policy = ({ validity_hours: hours }) => {
  for (let day = 0; day < 7; day += 1) {
    const ofDay = (hours?.daily ?? [])
      .filter(({ days_of_week }) => days_of_week.includes(day))
      .map(({ start_time, expiration_time }) => ({
        start: withSeconds(start_time),
        end: withSeconds(expiration_time || endOfDay),
      }))
      .sort((a, b) => (a.start < b.start ? -1 : 1));
    for (const [index, next] of ofDay.slice(1).entries()) {
      if (next.start < ofDay[index]!.end) {
        return 'Property .validity_hours.daily should NOT have overlapping entries';
      }
    }
  }
  return null;
};

const activityMustBeADuration: Policy = ({ activity_duration_after_publishing: activity }) =>
  activity && !isPositiveDuration(activity)
    ? 'Property .activity_duration_after_publishing should be an ISO 8601 duration'
    : null;

/** Instants compare as texts. Source: reference 04 §4.1. */
const periodMustNotEndFirst: Policy = ({ start_date: start, expiration_date: end }) =>
  start && end && end < start ? `Property .expiration_date must not be before .start_date (${start})` : null;

const policies: readonly Policy[] = [
  periodMustNotEndFirst,
  timeframeMustHaveDurations,
  timeframeMustHaveAStart,
  hoursMustStandAlone,
  hoursMustBeTimes,
  hoursMustNotOverlap,
  activityMustBeADuration,
];

/** Refuses `invalid_payload` for windows that cannot be: without a start, overlapping, ending before they begin (the whole period too), or of
 *  kinds that exclude each other. Source: reference 04 §7, §15. */
export const windowsMustBeSound = (input: WindowsInput): Refusal<'invalid_payload'> | null => {
  for (const policy of policies) {
    const problem = policy(input);
    if (problem) return refuse('invalid_payload', problem);
  }
  return null;
};

/** The windows as they are stored: unset ones null. */
export const storedWindows = (input: WindowsInput): ValidityWindows => ({
  validity_timeframe: input.validity_timeframe
    ? { interval: input.validity_timeframe.interval, duration: input.validity_timeframe.duration }
    : null,
  validity_day_of_week: input.validity_day_of_week ?? null,
  validity_hours: input.validity_hours
    ? {
        daily: input.validity_hours.daily.map(({ days_of_week, start_time, expiration_time }) => ({
          days_of_week,
          start_time,
          ...(expiration_time === undefined || expiration_time === null ? {} : { expiration_time }),
        })),
      }
    : null,
});
