import type { ProjectContext } from '@scrip/kernel';

/** A project as requests carry it: `proj_1`, in UTC and EUR, which tells cases of codes apart; `fields` as given. */
export const projectOf = (fields: Partial<ProjectContext> = {}): ProjectContext => ({
  id: 'proj_1',
  name: 'Demo',
  timezone: 'UTC',
  currency: 'EUR',
  caseSensitiveCodes: true,
  apiVersion: 'v2018-08-01',
  webhookVersion: 'v2024-01-01',
  cluster: 'eu1',
  ...fields,
});
