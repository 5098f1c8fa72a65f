const keyForm = /^[1-9]\d*$/;

/** Whether `key` may be the key of a rule: a number from 1, of any length. Source: reference 02 §1. */
export const isRuleKey = (key: string): boolean => keyForm.test(key);

/** Orders keys as numbers. */
export const byNumber = (left: string, right: string): number =>
  left.length - right.length || (left < right ? -1 : 1);
