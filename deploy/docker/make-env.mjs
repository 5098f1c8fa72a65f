// node deploy/docker/make-env.mjs: writes .env, which Docker Compose reads, with secrets of your own. What an existing file
// says is left alone: new keys could not open what the old ones closed. Secrets that it lacks are added.
import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const token = () => randomBytes(24).toString('base64url');

const contexts = [
  'AUTH',
  'CAMPAIGNS',
  'CUSTOMERS',
  'QUALIFICATION',
  'WEBHOOKS',
  'OPERATIONS',
  'PROMOTIONS',
  'CATALOG',
];

const secrets = `# Secrets of docker-compose.yml. Keep a copy: without the master key, personal data and webhook tokens are lost.
SCRIP_MASTER_KEY=${randomBytes(32).toString('base64')}
SCRIP_INTERNAL_SECRET=${randomBytes(32).toString('base64url')}
# Used when the database is made; changing it later here does not change it there.
POSTGRES_PASSWORD=${randomBytes(24).toString('hex')}
# Of the role of each service, set at each start.
${contexts.map((context) => `${context}_DATABASE_PASSWORD=${randomBytes(24).toString('hex')}`).join('\n')}

# The first project and its keys.
SCRIP_BOOTSTRAP_PROJECT_ID=proj_demo
SCRIP_BOOTSTRAP_APP_ID=eu1-demo-app
SCRIP_BOOTSTRAP_APP_TOKEN=${token()}
SCRIP_BOOTSTRAP_CLIENT_APP_ID=eu1-demo-client
SCRIP_BOOTSTRAP_CLIENT_TOKEN=${token()}
SCRIP_BOOTSTRAP_MANAGEMENT_ID=eu1-demo-management
SCRIP_BOOTSTRAP_MANAGEMENT_TOKEN=${token()}
# Of the user admin, which the first start makes; to be changed at the first sign-in.
SCRIP_ADMIN_PASSWORD=${token()}

# Where the gateway is published on this machine, and under which URL callers know it.
SCRIP_PUBLISHED=127.0.0.1:3000
SCRIP_BASE_URL=http://127.0.0.1:3000
`;

const secretLine = /^(\w+(?:KEY|SECRET|PASSWORD|TOKEN))=/;

/** Adds the secrets that `file` does not name, and returns their names. */
const complete = (file) => {
  const text = readFileSync(file, 'utf8');
  const missing = secrets.split('\n').filter((line) => {
    const name = secretLine.exec(line)?.[1];
    return name && !new RegExp(`^${name}=`, 'm').test(text);
  });
  if (missing.length > 0) appendFileSync(file, `${text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`);
  return missing.map((line) => secretLine.exec(line)[1]);
};

const target = process.argv[2] ?? resolve(fileURLToPath(import.meta.url), '..', '..', '..', '.env');
try {
  writeFileSync(target, secrets, { mode: 0o600, flag: 'wx' });
  console.log(`wrote ${target}`);
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
  const added = complete(target);
  if (added.length > 0) console.log(`added to ${target}: ${added.join(', ')}`);
  else {
    console.error(`${target} exists already: it is left as it is`);
    process.exitCode = 1;
  }
}
