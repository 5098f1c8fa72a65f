import { adminPassword } from '@scrip/testing';
import { createHmac } from 'node:crypto';
import type { DocumentedCaller } from './documented-caller.fixture';

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of an authenticator now. Source: RFC 6238. */
const totpOf = (secret: string): string => {
  const bits = [...secret].map((one) => base32.indexOf(one).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac('sha1', key).update(step).digest();
  const code = (mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff) % 1_000_000;
  return String(code).padStart(6, '0');
};

export const askSessions = async ({ send }: DocumentedCaller): Promise<void> => {
  const session = '/dashboard/api/session';
  const signIn = (password: string) => send('POST', session, { body: { login: 'admin', password } });
  const change = (current_password: string, password: string) =>
    send('PUT', `${session}/password`, { body: { current_password, password } });
  await send('GET', session);
  await signIn('a wrong password');
  const { answer: first } = await signIn(adminPassword);
  await signIn(adminPassword);
  await send('GET', session);
  await send('GET', '/dashboard/api/sessions');
  for (const parameters of [{ sessionId: first.id as string }, { sessionId: 'ses_none' }])
    await send('DELETE', '/dashboard/api/sessions/{sessionId}', { parameters });
  await send('POST', `${session}/password-again`, { body: { password: adminPassword } });
  const factor = `${session}/second-factor`;
  await send('GET', factor);
  await send('DELETE', factor);
  await send('PUT', factor, { body: { code: '123456' } });
  await send('POST', `${factor}/backup-codes`);
  const { answer: offered } = await send('POST', factor);
  await send('PUT', factor, { body: { code: 'none' } });
  await send('PUT', factor, { body: { code: totpOf(offered.secret as string) } });
  await send('POST', factor);
  await signIn(adminPassword);
  await send('POST', `${factor}/backup-codes`);
  await send('DELETE', factor);
  await change(adminPassword, 'too common');
  await change(adminPassword, 'correct horse battery staple');
  // Other specs sign in with it too.
  await change('correct horse battery staple', adminPassword);
  await send('GET', '/dashboard/api/audit');
  await send('GET', '/dashboard/api/audit', { query: '?starting_after_id=aud_none' });
  await send('DELETE', session);
};
