/** So many calls in so many seconds. */
export interface CallLimit {
  value: number;
  durationS: number;
}

const form = /^([1-9]\d{0,8})\/([1-9]\d{0,5})$/;

export const isCallLimit = (text: string): boolean => form.test(text);

/** The limit that `100/60` stands for. Throws for what is none. */
export const callLimitOf = (text: string): CallLimit => {
  const [, value, durationS] = form.exec(text) ?? [];
  if (value === undefined) throw new Error(`no limit of calls: ${text}`);
  return { value: Number(value), durationS: Number(durationS) };
};
