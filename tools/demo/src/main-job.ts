import { randomBytes } from 'node:crypto';
import { type Answer, Api, type Call, type Json } from './api';
import type { Receiver } from './receiver';
import type { Credentials } from './server';
import type { Transcript } from './transcript';

const waitTimeoutMs = 30_000;
const pollMs = 100;

const until = async <T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  const deadline = Date.now() + waitTimeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${waitTimeoutMs / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
};

/** How many webhooks of each kind the main job causes. A stack of three is three redemptions and one of them all. */
const expectedWebhooks: Record<string, number> = {
  'campaign.vouchers.generation.completed': 1,
  'voucher.created': 2,
  'redemption.succeeded': 5,
  'redemption.failed': 1,
};
const kinds = Object.keys(expectedWebhooks);

const order = {
  amount: 20_000,
  items: [{ source_id: 'lamp', related_object: 'sku', quantity: 2, price: 10_000 }],
};
interface Redeemable {
  object: 'voucher' | 'promotion_tier';
  id: string;
}
const customer = { source_id: 'ada', name: 'Ada', email: 'ada@example.com' };

/** The main job, from the access token to the received webhooks. Throws when an answer differs from what is
 *  expected. */
export class MainJob {
  private readonly api: Api;
  private bearer: Record<string, string> = {};
  private readonly suffix = randomBytes(3).toString('hex');

  constructor(
    private readonly credentials: Credentials,
    private readonly receiver: Receiver,
    private readonly transcript: Transcript,
  ) {
    const { app_token, management_token, webhook_token } = credentials;
    const secrets = {
      APP_TOKEN: app_token,
      MANAGEMENT_TOKEN: management_token,
      WEBHOOK_TOKEN: webhook_token,
    };
    this.api = new Api(credentials.base_url, transcript, new Map(Object.entries(secrets)));
  }

  async run(): Promise<void> {
    await this.takeToken();
    const webhookId = await this.registerWebhook();
    const campaignId = await this.createCampaign();
    const code = await this.addVoucher(campaignId);
    await this.validate(code);
    const redemptionId = await this.redeem(code);
    await this.redeemAboveLimit(code);
    await this.rollBack(redemptionId);
    const stack = await this.prepareStack(code);
    await this.redeemStack(stack);
    await this.explain(stack);
    await this.readWebhooks(code, redemptionId);
    await this.removeWebhook(webhookId);
  }

  private async takeToken(): Promise<void> {
    this.transcript.step('1. An access token, and what it is worth');
    const { app_id, app_token } = this.credentials;
    const keys = { 'X-App-Id': app_id, 'X-App-Token': app_token };
    const form = { grant_type: 'client_credentials', scope: 'api' };
    const token = this.checked(
      await this.api.call(
        { method: 'POST', path: '/v1/oauth/token', headers: keys, form },
        { learn: ({ access_token }) => this.api.hide('ACCESS_TOKEN', String(access_token)) },
      ),
      200,
    );
    const introspected = await this.api.call({
      method: 'POST',
      path: '/v1/oauth/introspect',
      headers: keys,
      form: { access_token: String(token.access_token) },
    });
    this.transcript.expect('the token is active', introspected.body.active, true);
    this.bearer = { 'X-Service-OAuth': `Bearer ${String(token.access_token)}` };
  }

  private async registerWebhook(): Promise<string> {
    this.transcript.step('2. A webhook endpoint on this machine');
    const json = { target_url: this.receiver.url, events: kinds };
    const webhook = this.checked(await this.api.call({ ...this.webhooks('POST'), json }), 200);
    this.transcript.expect('the endpoint is active', webhook.active, true);
    return String(webhook.id);
  }

  private async createCampaign(): Promise<string> {
    this.transcript.step('3. A discount campaign with 1,000 codes, generated in the background');
    const campaign = this.checked(
      await this.post('/v1/campaigns', {
        name: `Demo ${this.suffix}`,
        campaign_type: 'DISCOUNT_COUPONS',
        type: 'AUTO_UPDATE',
        vouchers_count: 1_000,
        voucher: {
          type: 'DISCOUNT_VOUCHER',
          discount: { type: 'PERCENT', percent_off: 10 },
          redemption: { quantity: 1 },
          code_config: { pattern: 'DEMO-#######' },
        },
      }),
      200,
    );
    const action = await this.finishedAction(campaign);
    this.transcript.expect('the action succeeded', action.operation_status, 'SUCCESS');
    const generated = this.checked(await this.get(`/v1/campaigns/${String(campaign.id)}`), 200);
    this.transcript.expect('codes of the campaign', generated.vouchers_count, 1_000);
    return String(campaign.id);
  }

  // A campaign's answer does not name its action: it is the newest one, as soon as the list has it.
  private async finishedAction(campaign: Json): Promise<Json> {
    const list = '/v1/async-actions?limit=1';
    const id = await until('listing the action', async () => {
      const { async_actions } = this.checked(await this.get(list, true), 200);
      const [action] = async_actions as Json[];
      return action && String(action.created_at) >= String(campaign.created_at)
        ? String(action.id)
        : undefined;
    });
    await this.get(list);
    await until('generating the codes', async () => {
      const body = this.checked(await this.get(`/v1/async-actions/${id}`, true), 200);
      return body.status === 'DONE' || body.status === 'FAILED' ? body : undefined;
    });
    return this.checked(await this.get(`/v1/async-actions/${id}`), 200);
  }

  private async addVoucher(campaignId: string): Promise<string> {
    this.transcript.step('4. One more voucher, at once');
    const voucher = this.checked(await this.post(`/v1/campaigns/${campaignId}/vouchers`, {}), 200);
    this.transcript.expect('it may be redeemed', (voucher.redemption as Json).quantity, 1);
    return String(voucher.code);
  }

  private async validate(code: string): Promise<void> {
    this.transcript.step('5. A shop validates the code against an order');
    const validation = this.checked(
      await this.post('/v1/validations', { redeemables: [{ object: 'voucher', id: code }], order, customer }),
      200,
    );
    this.transcript.expect('the code is valid', validation.valid, true);
    this.transcript.expect('discount on 200.00', (validation.order as Json).total_discount_amount, 2_000);
  }

  private async redeem(code: string): Promise<string> {
    this.transcript.step('6. It redeems the code for a customer sent along');
    const answer = this.checked(await this.redemptionOf(code), 200);
    const [redemption] = answer.redemptions as Json[];
    this.transcript.expect('the redemption', redemption?.result, 'SUCCESS');
    return String(redemption?.id);
  }

  private async redeemAboveLimit(code: string): Promise<void> {
    this.transcript.step('7. A second redemption is above the limit');
    const { status, body } = await this.redemptionOf(code);
    this.transcript.expect('it is refused', [status, body.key], [400, 'quantity_exceeded']);
  }

  private async rollBack(redemptionId: string): Promise<void> {
    this.transcript.step('8. The customer changed her mind: the redemption is rolled back');
    const rollback = this.checked(
      await this.post(`/v1/redemptions/${redemptionId}/rollback`, { reason: 'returned' }),
      200,
    );
    this.transcript.expect('the rollback', rollback.result, 'SUCCESS');
  }

  /** Makes the card and the tier, and returns the code, the tier and the card as a cart names them. */
  private async prepareStack(code: string): Promise<Redeemable[]> {
    this.transcript.step('9. A gift card, and a promotion for every cart of 150.00 or more');
    const card = this.checked(
      await this.post('/v1/vouchers', { type: 'GIFT_VOUCHER', gift: { amount: 3_000 } }),
      200,
    );
    this.transcript.expect('on the card', (card.gift as Json).balance, 3_000);
    const rule = this.checked(
      await this.post('/v1/validation-rules', {
        name: `Large cart ${this.suffix}`,
        rules: {
          1: { name: 'order.initial_amount', conditions: { $more_than_or_equal: [15_000] } },
        },
        error: { message: 'For carts of 150.00 or more' },
      }),
      200,
    );
    const promotion = this.checked(
      await this.post('/v1/campaigns', {
        name: `Demo promotion ${this.suffix}`,
        campaign_type: 'PROMOTION',
        promotion: {
          tiers: [
            {
              name: '15.00 off large carts',
              action: { discount: { type: 'AMOUNT', amount_off: 1_500 } },
              validation_rules: [rule.id],
            },
          ],
        },
      }),
      200,
    );
    const [tier] = (promotion.promotion as { tiers: Json[] }).tiers;
    return [
      { object: 'voucher', id: code },
      { object: 'promotion_tier', id: String(tier?.id) },
      { object: 'voucher', id: String(card.code) },
    ];
  }

  private async redeemStack(redeemables: Redeemable[]): Promise<void> {
    this.transcript.step('10. All three on one cart: each takes off what the ones before it left');
    const json = { redeemables, order, customer };
    const validation = this.checked(await this.post('/v1/validations', json), 200);
    const applied = (validation.redeemables as { order: Json }[]).map(
      (one) => one.order.total_applied_discount_amount,
    );
    this.transcript.expect('10 %, 15.00 and the card', applied, [2_000, 1_500, 3_000]);
    const answer = this.checked(await this.post('/v1/redemptions', json), 200);
    this.transcript.expect('redemptions of one parent', (answer.redemptions as Json[]).length, 3);
    this.transcript.expect('left of 200.00', (answer.order as Json).total_amount, 13_500);
  }

  private async explain([, tier]: Redeemable[]): Promise<void> {
    this.transcript.step('11. Why does a smaller cart get no promotion?');
    const json = { redeemables: [tier], order: { amount: 9_000 }, customer };
    const explanation = this.checked(await this.post('/v1/explanations', json), 200);
    const [refused] = explanation.redeemables as { because: Json; rules: Json[] }[];
    this.transcript.expect('the refusal', refused?.because.key, 'order_rules_violated');
    const [rule] = refused?.rules ?? [];
    this.transcript.expect('the rule', rule?.name, 'order.initial_amount');
    this.transcript.expect('expected and found', [rule?.expected, rule?.actual], [[15_000], 9_000]);
  }

  private async readWebhooks(code: string, redemptionId: string): Promise<void> {
    this.transcript.step('12. What the webhook consumer received: each event once, signatures checked');
    const received = (kind: string): number =>
      this.receiver.received.filter(({ type }) => type === kind).length;
    const missing = (): string[] => kinds.filter((kind) => received(kind) < expectedWebhooks[kind]!);
    await until('receiving all webhooks', () => (missing().length === 0 ? true : undefined)).catch(
      (error: Error) => {
        throw new Error(`${error.message}; missing: ${missing().join(', ')}`);
      },
    );
    for (const { id, type, data } of this.receiver.received) this.transcript.webhook(type, id, data);
    this.transcript.expect('events of each kind', kinds.map(received), Object.values(expectedWebhooks));
    this.transcript.expect('deliveries with a wrong signature', this.receiver.forged, 0);
    const text = JSON.stringify(this.receiver.received);
    this.transcript.expect(
      'they tell of this code and this redemption',
      [text.includes(code), text.includes(redemptionId)],
      [true, true],
    );
  }

  private async removeWebhook(webhookId: string): Promise<void> {
    this.transcript.step('13. The endpoint is removed');
    const { status } = await this.api.call(this.webhooks('DELETE', `/${webhookId}`));
    this.transcript.expect('status', status, 204);
  }

  private webhooks(method: 'POST' | 'DELETE', id = ''): Call {
    const { project_id, management_id, management_token } = this.credentials;
    return {
      method,
      path: `/management/v1/projects/${project_id}/webhooks${id}`,
      headers: { 'X-Management-Id': management_id, 'X-Management-Token': management_token },
    };
  }

  private redemptionOf(code: string): Promise<Answer> {
    return this.post('/v1/redemptions', { redeemables: [{ object: 'voucher', id: code }], order, customer });
  }

  private post(path: string, json: unknown): Promise<Answer> {
    return this.api.call({ method: 'POST', path, headers: this.bearer, json });
  }

  private get(path: string, silent = false): Promise<Answer> {
    return this.api.call({ method: 'GET', path, headers: this.bearer }, { silent });
  }

  private checked({ status, body }: Answer, expected: number): Json {
    if (status !== expected) this.transcript.expect(`status of ${JSON.stringify(body)}`, status, expected);
    return body;
  }
}
