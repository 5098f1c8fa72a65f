import type { DocumentedCaller } from './documented-caller.fixture';

/** A new project, and what managers do with one. */
export const askProjects = async ({ send }: DocumentedCaller): Promise<void> => {
  const all = '/management/v1/projects';
  const { answer: made } = await send('POST', all, {
    body: { name: 'Shop', case_sensitive_codes: true, timezone: 'GMT+2', currency: 'EUR' },
  });
  const projectId = made.id as string;
  const one = { parameters: { projectId } };
  await send('GET', all);
  await send('PUT', `${all}/{projectId}`, { ...one, body: { default_code_config: { charset: 'ABC' } } });
  await send('GET', `${all}/{projectId}`, one);
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
