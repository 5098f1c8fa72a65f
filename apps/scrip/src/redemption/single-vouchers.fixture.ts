import { newId } from '@scrip/kernel';
import { type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

/** A project of this file's own. */
export let scrip: SharedScrip;

/** For the top of a spec: takes a project. */
export const useProject = (): void => {
  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);
};

/** An order without lines, of 100.00. */
export const cart = { amount: 10_000 };

/** A discount voucher that takes so many percent off. */
export const percentOff = (percent_off: number, more: object = {}) => ({
  type: 'DISCOUNT_VOUCHER',
  discount: { type: 'PERCENT', percent_off, ...more },
});

/** Calls the API of the project. */
export const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<any> =>
  scrip.call('POST', path, body, headers) as Promise<ScripAnswer & { body: any }>;

/** Makes a voucher and returns its code. */
export const newVoucher = async (voucher: object): Promise<string> => {
  const code = newId('CODE-').toUpperCase();
  await scrip.ask('POST', `/v1/vouchers/${code}`, voucher);
  return code;
};
