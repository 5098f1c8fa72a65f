// Receives webhooks and prints each once: WEBHOOK_TOKEN=whsec_… node docs/examples/webhook-receiver.mjs 4000
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const [port = '4000'] = process.argv.slice(2);
const key = Buffer.from(process.env.WEBHOOK_TOKEN.replace('whsec_', ''), 'base64');
const toleranceS = 300;
const seen = new Set(); // A real receiver keeps ids in its database, for three days at least.

const isGenuine = (headers, body) => {
  const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1_000 - Number(sentAt)) <= toleranceS)) return false;
  const expected = createHmac('sha256', key).update(`${id}.${sentAt}.`).update(body).digest();
  return signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
};

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const { id, type, event } = JSON.parse(body);
  if (!seen.has(id)) console.log(type, event.entity_id);
  seen.add(id);
  response.writeHead(204).end(); // Answer at once, work afterwards.
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready', server.address().port));
