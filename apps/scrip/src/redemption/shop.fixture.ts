import { newId } from '@scrip/kernel';
import { waitUntil } from '@scrip/testing';

/** What an API call came to. */
export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

/** A redemption's answer, as far as these suites look at it. */
export interface Redeemed {
  key?: string;
  resource_id?: string;
  redemptions: { id: string; voucher: { redemption: { redeemed_quantity: number } } }[];
}

/** A project's server that calls the API. */
export interface Shop {
  post<Body = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>;
  get<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>>;
  /** A code of a new campaign, by default one that takes 10 off the order; `quantity` null = unlimited. */
  newCode(quantity: number | null, discount?: object): Promise<string>;
  redeem(code: string, more?: object, headers?: Record<string, string>): Promise<Answer<Redeemed>>;
  redeemedQuantity(code: string): Promise<number>;
}

/** A call of the API. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer<any>>;

/** Calls under a key of its own, and again where the answer is 503 or another try is still at work: returns what the call comes
 *  to, however busy the machine is. */
export const answered = <Body>(
  call: (key: Record<string, string>) => Promise<Answer<Body>>,
): Promise<Answer<Body>> => {
  const key = { 'idempotency-key': newId('key_') };
  return waitUntil(
    async () => {
      const answer = await call(key);
      const isAtWork = (answer.body as { key?: string }).key === 'idempotency_key_in_use';
      return answer.status !== 503 && !isAtWork && answer;
    },
    { what: 'an answer', timeoutMs: 200_000 },
  );
};

/** A shop that calls by `call`. */
export const shopOf = (call: Call): Shop => {
  const shop: Shop = {
    post: (path, body, headers) => call('POST', path, body, headers),
    get: (path) => call('GET', path),
    newCode: async (quantity, discount = { type: 'AMOUNT', amount_off: 10 }) => {
      const code = newId('CODE-').toUpperCase();
      const campaign = await shop.post('/v1/campaigns', {
        name: `Campaign of ${code}`,
        campaign_type: 'DISCOUNT_COUPONS',
        voucher: {
          type: 'DISCOUNT_VOUCHER',
          discount,
          redemption: { quantity },
        },
      });
      const added = await shop.post(`/v1/campaigns/${campaign.body.id as string}/vouchers/${code}`, {});
      if (added.status !== 200) throw new Error(JSON.stringify([campaign, added]));
      return code;
    },
    redeem: (code, more = {}, headers) =>
      shop.post<Redeemed>(
        '/v1/redemptions',
        { redeemables: [{ object: 'voucher', id: code }], ...more },
        headers,
      ),
    redeemedQuantity: async (code) => {
      const { body } = await shop.get<{ redemption: { redeemed_quantity: number } }>(`/v1/vouchers/${code}`);
      return body.redemption.redeemed_quantity;
    },
  };
  return shop;
};
