import type { DocumentedCaller } from './documented-caller.fixture';

/** A user who is invited to two projects, leaves one and returns. */
const askUsers = async ({ send }: DocumentedCaller, projectId: string): Promise<void> => {
  const { answer: other } = await send('POST', '/management/v1/projects', {
    body: { name: 'Other', case_sensitive_codes: true, timezone: 'UTC', currency: 'EUR' },
  });
  const roles = { [projectId]: 'USER', [other.id as string]: 'VIEWER' };
  const invitation = { email: `${projectId}@example.com`, first_name: 'Tom', last_name: 'King' };
  const invite = '/management/v1/projects/users/invite';
  for (const projects of [roles, roles, { [projectId]: 'OWNER' }])
    await send('POST', invite, { body: { ...invitation, projects } });
  const users = '/management/v1/projects/{projectId}/users';
  const one = { parameters: { projectId } };
  const { answer: list } = await send('GET', users, one);
  const found = (list.data as { id: string; login: string }[]).find(
    ({ login }) => login === invitation.email,
  );
  const ofUser = { parameters: { projectId, userId: found?.id ?? '' } };
  await send('GET', `${users}/{userId}`, ofUser);
  await send('PUT', `${users}/{userId}`, { ...ofUser, body: { role: 'MERCHANT' } });
  await send('DELETE', `${users}/{userId}`, ofUser);
  await send('DELETE', `${users}/{userId}`, ofUser);
  await send('GET', `${users}/{userId}`, ofUser);
  for (const body of [
    { id: found?.id, role: 'VIEWER' },
    { id: found?.id, role: 'VIEWER' },
    { role: 'VIEWER' },
  ])
    await send('POST', users, { ...one, body });
};

/** A new project, and what managers do with one. */
export const askProjects = async (caller: DocumentedCaller): Promise<void> => {
  const { send } = caller;
  const all = '/management/v1/projects';
  const { answer: made } = await send('POST', all, {
    body: { name: 'Shop', case_sensitive_codes: true, timezone: 'GMT+2', currency: 'EUR' },
  });
  const projectId = made.id as string;
  const one = { parameters: { projectId } };
  await send('GET', all);
  await send('PUT', `${all}/{projectId}`, { ...one, body: { default_code_config: { charset: 'ABC' } } });
  await send('GET', `${all}/{projectId}`, one);
  await askUsers(caller, projectId);
  const rules = `${all}/{projectId}/stacking-rules`;
  await send('GET', rules, one);
  const { answer: stored } = await send('POST', rules, {
    ...one,
    body: { exclusive_categories: ['cat_a'] },
  });
  await send('POST', rules, { ...one, body: {} });
  const ofRules = { parameters: { projectId, stackingRulesId: stored.id as string } };
  await send('PUT', `${rules}/{stackingRulesId}`, { ...ofRules, body: { redeemables_limit: 20 } });
  await send('GET', `${rules}/{stackingRulesId}`, ofRules);
  await send('DELETE', `${rules}/{stackingRulesId}`, ofRules);
  await send('DELETE', `${all}/{projectId}`);
  await send('DELETE', `${all}/{projectId}`, one);
};
