// What the same machine does without Scrip: a bare Fastify + pg process. POST /select makes one indexed select (S),
// /commit one CTE commit (C), /redeem a redemption of one row in five statements (N). Source: architecture §12.
import Fastify from 'fastify';
import { Pool } from 'pg';

const schema = `
  CREATE TABLE IF NOT EXISTS baseline_vouchers (id int PRIMARY KEY, version bigint NOT NULL, redeemed int NOT NULL);
  CREATE TABLE IF NOT EXISTS baseline_events (position bigserial PRIMARY KEY, voucher_id int NOT NULL, data jsonb NOT NULL);
  INSERT INTO baseline_vouchers SELECT n, 0, 0 FROM generate_series(1, 10000) n ON CONFLICT DO NOTHING;`;

const event = JSON.stringify({ type: 'VoucherQuantityConsumed', redemption_id: 'r_1', redeemed_quantity: 1 });
const anyVoucher = () => 1 + Math.floor(Math.random() * 10_000);

const redeemOneRow = async (pool: Pool): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query({
      name: 'lock',
      text: 'SELECT * FROM baseline_vouchers WHERE id = $1 FOR UPDATE',
      values: [1],
    });
    await client.query({
      name: 'insert',
      text: 'INSERT INTO baseline_events (voucher_id, data) VALUES ($1, $2)',
      values: [1, event],
    });
    await client.query({
      name: 'update',
      text: 'UPDATE baseline_vouchers SET version = version + 1, redeemed = redeemed + 1 WHERE id = $1',
      values: [1],
    });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
};

const main = async (): Promise<void> => {
  const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 16 });
  await pool.query(schema);
  const server = Fastify();
  server.post('/select', async () => {
    const { rows } = await pool.query({
      name: 's',
      text: 'SELECT * FROM baseline_vouchers WHERE id = $1',
      values: [anyVoucher()],
    });
    return rows[0];
  });
  server.post('/commit', async () => {
    const { rows } = await pool.query({
      name: 'c',
      text: `WITH moved AS (UPDATE baseline_vouchers SET version = version + 1, redeemed = redeemed + 1 WHERE id = $1 RETURNING id)
             INSERT INTO baseline_events (voucher_id, data) SELECT id, $2 FROM moved RETURNING position`,
      values: [anyVoucher(), event],
    });
    return rows[0];
  });
  server.post('/redeem', async () => {
    await redeemOneRow(pool);
    return { result: 'SUCCESS' };
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  process.stdout.write(`listening on ${address}\n`);
  process.on('SIGTERM', () => void server.close().then(() => pool.end()));
};

void main();
