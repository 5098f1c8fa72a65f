import { type ScripAnswer, type SharedScrip, sharedScrip } from '@scrip/testing';

/** A project of this file's own. */
export let scrip: SharedScrip;

/** For the top of a spec: takes a project. */
export const useProject = (): void => {
  beforeAll(async () => {
    scrip = await sharedScrip();
  }, 240_000);
};

let names = 0;

/** A name that no other call of this file gave. */
export const fresh = (what: string): string => `${what}-${(names += 1)}`;

/** What a refused call answers. */
export const refusal = ({ status, body: { key, message, details } }: ScripAnswer) => [
  status,
  key,
  message,
  details,
];

/** Where the holders of a code are. */
export const holdersOf = (code: string) => `/v1/referrals/members/${code}/holders`;

/** Makes a referral program. */
export const programOf = async (fields: object = {}): Promise<{ id: string; name: string }> => {
  const name = fresh('Friends');
  const { id } = await scrip.ask<{ id: string }>('POST', '/v1/campaigns', {
    name,
    campaign_type: 'REFERRAL_PROGRAM',
    voucher: { type: 'DISCOUNT_VOUCHER', discount: { type: 'PERCENT', percent_off: 10 } },
    ...fields,
  });
  return { id, name };
};

/** Makes a code of a program. */
export const codeOf = async (campaign: { id: string }): Promise<string> => {
  const code = fresh('FRIEND');
  await scrip.ask('POST', `/v1/campaigns/${campaign.id}/vouchers/${code}`, {});
  return code;
};

/** A code that is published to a customer. */
export const published = async (campaign: { id: string }) => {
  const code = await codeOf(campaign);
  const referrer = fresh('referrer');
  const { customer_id, voucher } = await scrip.ask<any>('POST', '/v1/publications', {
    voucher: code,
    customer: { source_id: referrer },
  });
  return { code, id: voucher.id as string, referrer, referrerId: customer_id as string };
};
