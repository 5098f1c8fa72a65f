import { adminPassword } from '@scrip/testing';
import type { DocumentedCaller } from './documented-caller.fixture';

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
  await change(adminPassword, 'too common');
  await change(adminPassword, 'correct horse battery staple');
  // Other specs sign in with it too.
  await change('correct horse battery staple', adminPassword);
  await send('DELETE', session);
};
