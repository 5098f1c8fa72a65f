import { isTimeZone } from '@scrip/kernel';

const fixedForm = /^(?:GMT|UTC)([+-])(\d{1,2})(?::?00)?$/i;
const etcForm = /^Etc\/GMT([+-])(\d{1,2})$/;
const nameForm = /^[A-Za-z][\w+/-]{0,63}$/;

/** Returns the IANA name of a zone that is named so or by its distance from GMT in whole hours: `GMT+2` is `Etc/GMT-2`, whose sign
 *  is the other way round. Null: there is no such zone. Source: reference 07 §14. */
export const zoneNamed = (name: string): string | null => {
  const [, sign, hours] = fixedForm.exec(name) ?? [];
  if (sign !== undefined && Number(hours) === 0) return 'GMT';
  const zone = sign === undefined ? name : `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`;
  return nameForm.test(zone) && isTimeZone(zone) ? zone : null;
};

/** Returns how a zone is shown: one by its distance from GMT as callers name it. */
export const shownZone = (zone: string): string => {
  const [, sign, hours] = etcForm.exec(zone) ?? [];
  return sign === undefined ? zone : `GMT${sign === '-' ? '+' : '-'}${hours}`;
};
