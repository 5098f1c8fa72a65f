// Makes projects in the database of a Scrip, for suites that share it: node tools/test/make-projects.cjs <count>, with
// its DATABASE_URL and SCRIP_DATA_DIR. Prints a list with the keys of each; the management key is the one that this Scrip
// chose for itself, as it reaches all projects.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { Bootstrap, authContext } = require('@scrip/auth');
const { masterKeyOf } = require('@scrip/data-directory');
const { embeddedEdge } = require('@scrip/edge');
const { Secret, newId } = require('@scrip/kernel');
const { openConsumers, readSettings } = require('@scrip/service');

const makeProject = async (bootstrap, { management_id, management_token }) => {
  const keys = {
    project_id: newId('proj_'),
    app_id: newId('app-'),
    app_token: newId('token-'),
    client_app_id: newId('web-'),
    client_token: newId('token-'),
    management_id,
    management_token,
  };
  await bootstrap.run({
    projectId: keys.project_id,
    appId: keys.app_id,
    appToken: new Secret(keys.app_token),
    clientAppId: keys.client_app_id,
    clientToken: new Secret(keys.client_token),
    managementId: keys.management_id,
    managementToken: new Secret(keys.management_token),
    clientTrustedDomains: ['shop.example.com'],
    clientSwitches: { client_redeem_enabled: true },
  });
  return keys;
};

const main = async (count) => {
  const settings = readSettings(process.env);
  const opened = await openConsumers({
    contexts: [authContext],
    config: { ...settings, masterKey: masterKeyOf(settings.dataDir) },
    edge: embeddedEdge,
  });
  try {
    const chosen = JSON.parse(readFileSync(join(settings.dataDir, 'credentials.json'), 'utf8'));
    const made = [];
    for (let index = 0; index < count; index += 1)
      made.push(await makeProject(opened.get(Bootstrap), chosen));
    process.stdout.write(`${JSON.stringify(made)}\n`);
  } finally {
    await opened.close();
  }
};

main(Number(process.argv[2])).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
