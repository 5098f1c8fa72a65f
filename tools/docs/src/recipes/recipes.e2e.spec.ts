import { sharedScrip } from '@scrip/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repositoryRoot } from '../types/source-program';

/** The commands of a page, in order. */
const commandsOf = (page: string): string =>
  [...readFileSync(join(repositoryRoot, 'docs', page), 'utf8').matchAll(/^```bash\n([\s\S]*?)^```$/gm)]
    .map(([, commands]) => commands)
    .join('\n');

const outputs: Record<string, string[]> = {
  'bring-your-customers.md': [
    'Dry run: 3 customer(s) can be imported, 0 cannot.',
    '3 customer(s) imported successfully, 0 failed.',
    '',
    'source_id,row,found,updated,error\r',
    'shop-1,1,false,true,\r',
    'shop-2,2,false,true,\r',
    'shop-3,3,false,true,\r',
    'Hopper, Grace',
    '12000',
  ],
  'bring-your-catalogue.md': [
    'product',
    'Dry run: 2 product(s) can be imported, 0 cannot.',
    '2 product(s) imported successfully, 0 failed.',
    '2 sku(s) imported successfully, 1 failed.',
    'row 3: Attribute size is not declared in the attributes of product mug',
    'White mug',
    '1090',
    '2',
    '2',
    'shirt-blue,shirt-red',
    'shirt-blue',
  ],
  'find-customers.md': [
    '4',
    'Ada',
    'Alan,Grace',
    'Ada,Grace',
    '2',
    '4',
    'Ada,Grace',
    'PAID',
    'Alan',
    'SUCCESS',
    'Hedy',
    'Spenders',
  ],
  'why-was-it-refused.md': [
    'customer_rules_violated',
    'missing_customer',
    '$more_than 10000 9500',
    '9450',
    'APPLICABLE,APPLICABLE',
    'order_rules_violated',
    'bundle_rules 0',
    'voucher not active',
    'APPLICABLE',
    'false',
    'voucher is disabled',
    'gift_amount_exceeded',
    'credits,order,total',
    'order.amount $more_than 9500',
  ],
  'give-codes-to-customers.md': [
    'DISCOUNT_COUPONS',
    'the same',
    '2000',
    'customer_rules_violated',
    '8000',
    'redemption_rules_violated',
    'campaign.redemptions.customers_count 1,campaign.orders.amount_discounted 2000',
    'campaign.orders.amount_discounted 2000',
    'REFERRAL_PROGRAM',
    'referrer_not_permitted_to_redeem',
    'SUCCESS',
    'redemption',
  ],
  'hold-while-a-shopper-checks-out.md': [
    'true',
    '5000',
    '4000',
    'quantity_exceeded',
    '2000',
    '6000',
    '4000',
    'SUCCESS,SUCCESS',
    'true',
    '4000',
    'true',
    '204',
    'not_found',
    'true',
  ],
  'export-everything.md': [
    'PAID',
    'Grace',
    'Shirt to export',
    'Blue shirt',
    'Source ID,Name,vip\r',
    "export-1,'=Ada,true\r",
    'Name,Email\r',
    'Grace,grace@example.com\r',
    "'=Ada,\r",
    expect.stringMatching(/^Unsupported field used\. Allowed fields: id, sku, product_id, /) as string,
    'customer.csv',
    'order.csv',
    'product.csv',
    'publication.csv',
    'redemption.csv',
    'sku.csv',
    'voucher.csv',
    'voucher_transactions.csv',
    '204',
    '404',
  ],
};

describe('recipes', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'scrip-recipe-'));

  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  test.each(Object.entries(outputs))(
    'the commands of %s work line by line as they stand',
    async (page, lines) => {
      const { credentials } = await sharedScrip();
      writeFileSync(join(dataDir, 'credentials.json'), JSON.stringify(credentials), { mode: 0o600 });
      const shell = spawn('bash', ['-euo', 'pipefail'], {
        cwd: repositoryRoot,
        env: { PATH: process.env.PATH, SCRIP_DATA_DIR: dataDir },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      shell.stdin.end(commandsOf(page));
      const ended = once(shell, 'close');
      const [output, complaints] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
      expect({ status: (await ended)[0] as number, complaints, output }).toMatchObject({
        status: 0,
        complaints: '',
      });
      expect(output.split('\n')).toEqual([...lines, '']);
    },
    240_000,
  );
});
