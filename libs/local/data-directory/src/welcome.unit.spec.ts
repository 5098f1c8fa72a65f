import { firstUserNote } from './first-user-note';
import { welcome } from './welcome';

const credentials = {
  base_url: 'http://127.0.0.1:3000',
  project_id: 'proj_1',
  app_id: 'app-1',
  app_token: 'app-secret',
  client_app_id: 'client-1',
  client_token: 'client-secret',
  management_id: 'management-1',
  management_token: 'management-secret',
  webhook_token: 'whsec_secret',
};
const path = '/data/credentials.json';

describe('welcome', () => {
  it('shows every key on a terminal', () => {
    const text = welcome(credentials, path, { isTTY: true });
    for (const value of Object.values(credentials)) expect(text).toContain(value);
  });

  it('shows no secret elsewhere, but the file that has them', () => {
    const text = welcome(credentials, path, { isTTY: false });
    expect(text).not.toMatch(/secret/);
    expect(text).toContain(path);
    expect(text).toContain(`${credentials.base_url}/v1/campaigns`);
  });
});

describe('the first user', () => {
  it.each([
    ['pass-1', 'The first user is admin, its password pass-1\n'],
    [null, 'The first user is admin. npm run users -- reset admin makes its password.'],
  ])('is told with the password %s', (password, text) => {
    expect(firstUserNote('admin', password)).toContain(text);
  });
});
