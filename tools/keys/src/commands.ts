import { Bootstrap, ClientAccess, type IssuedKey, KeyLifecycle, type ListedKey } from '@scrip/auth';
import { type Refusal, isRefused } from '@scrip/kernel';
import type { OpenConsumers } from '@scrip/service';

/** Options of the commands. */
export interface KeyOptions {
  project?: string;
  kind?: string;
  name?: string;
  role?: string;
  /** Lists by comma. */
  trust?: string;
  allow?: string;
  from?: string;
  integration?: boolean;
}

/** What a command prints, and whether it did what was asked. */
export interface CommandEnd {
  lines: string[];
  isDone: boolean;
}

/** How the commands are written. */
export const usage = [
  'npm run keys -- list',
  'npm run keys -- first                                    the first project and its keys',
  'npm run keys -- issue --project <id> --kind server|client [--name <name>] [--role <role>] [--integration]',
  'npm run keys -- issue --kind management [--name <name>]',
  'npm run keys -- rotate <key id>                          another secret, the same id',
  'npm run keys -- block <key id>, unblock <key id>',
  'npm run keys -- addresses <key id> --from 192.0.2.7,2001:db8::/32    admits it from there only; from anywhere: --from any',
  'npm run keys -- rewrap [<service> …]                     seal everything with the current master key',
  'npm run keys -- browsers <project id> [--trust https://shop.example.com,...] [--allow client_redeem_enabled,...]',
].join('\n');

const lineOf = ({
  id,
  projectId,
  kind,
  name,
  role,
  integration,
  blocked,
  createdAt,
  ...more
}: ListedKey): string =>
  [
    ...[projectId ?? 'all projects', id, kind, role ?? '', name, createdAt.toISOString()],
    integration ? 'of an integration' : '',
    more.lastUsedAt ? `used ${more.lastUsedAt.toISOString()}` : 'not used yet',
    more.allowedIps.length > 0 ? `from ${more.allowedIps.join(', ')}` : '',
    blocked ? 'BLOCKED' : '',
  ]
    .filter((part) => part !== '')
    .join('  ');

const ended = (result: IssuedKey | Refusal | null): CommandEnd => {
  if (result === null) return { lines: ['done'], isDone: true };
  if (isRefused(result)) return { lines: [result.details ?? result.refused], isDone: false };
  return {
    lines: [`${result.id}  ${result.secret.reveal()}`, 'The secret is shown this once.'],
    isDone: true,
  };
};

const issue = async (keys: KeyLifecycle, options: KeyOptions): Promise<CommandEnd> => {
  const { project, kind, name = 'Issued by command', role = 'ADMIN', integration = false } = options;
  if (kind === 'management') return ended(await keys.issueManagement({ name }));
  if ((kind !== 'server' && kind !== 'client') || !project) return { lines: [usage], isDone: false };
  return ended(await keys.issue({ projectId: project, kind, name, role, integration }));
};

const listOf = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Without options it shows what holds. */
const browsers = async (
  access: ClientAccess,
  projectId: string,
  { trust, allow }: KeyOptions,
): Promise<CommandEnd> => {
  const changed = await access.change(projectId, { trusted: listOf(trust), allowed: listOf(allow) });
  if (isRefused(changed)) return { lines: [changed.details ?? changed.refused], isDone: false };
  const on = Object.entries(changed.client_switches).flatMap(([name, isOn]) => (isOn ? [name] : []));
  const told = (what: readonly string[]): string => (what.length > 0 ? what.join(', ') : 'none');
  return {
    lines: [`trusted domains  ${told(changed.client_trusted_domains)}`, `switches on  ${told(on)}`],
    isDone: true,
  };
};

const addresses = async (keys: KeyLifecycle, id: string, { from }: KeyOptions): Promise<CommandEnd> =>
  ended(await keys.restrict(id, from === 'any' ? [] : (listOf(from) ?? [])));

const first = async (bootstrap: Bootstrap, keys: KeyLifecycle): Promise<CommandEnd> => {
  if ((await keys.list()).length > 0)
    return { lines: ['there are keys already: npm run keys -- list shows them'], isDone: false };
  const { project, server, client, management } = await bootstrap.run({});
  const shown = Object.entries({ server, client, management }).map(
    ([kind, { id, secret }]) => `${kind}  ${id}  ${secret?.reveal() ?? ''}`,
  );
  return { lines: [`project  ${project.id}`, ...shown, 'The secrets are shown this once.'], isDone: true };
};

const isIssue = ({ kind, project, integration = false }: KeyOptions): boolean => {
  if (integration) return kind === 'server' && Boolean(project);
  return kind === 'management' || ((kind === 'server' || kind === 'client') && Boolean(project));
};

/** Whether a command line is a command, of which nothing is missing. */
export const isKeyCommand = ([command = '', ...rest]: readonly string[], options: KeyOptions): boolean => {
  if (command === 'rewrap') return true;
  if (command === 'issue') return rest.length === 0 && isIssue(options);
  if (command === 'list' || command === 'first') return rest.length === 0;
  if (command === 'addresses') return rest.length === 1 && Boolean(options.from);
  return ['rotate', 'block', 'unblock', 'browsers'].includes(command) && rest.length === 1;
};

/** Runs one command line over the keys of an installation. A line that is no command prints the usage. */
export const runKeyCommand = async (
  { get }: Pick<OpenConsumers, 'get'>,
  [command, id = '']: readonly string[],
  options: KeyOptions,
): Promise<CommandEnd> => {
  const keys = get(KeyLifecycle);
  switch (command) {
    case 'list':
      return { lines: (await keys.list()).map(lineOf), isDone: true };
    case 'first':
      return first(get(Bootstrap), keys);
    case 'issue':
      return issue(keys, options);
    case 'rotate':
      return ended(await keys.rotate(id));
    case 'block':
      return ended(await keys.setBlocked(id, true));
    case 'unblock':
      return ended(await keys.setBlocked(id, false));
    case 'addresses':
      return addresses(keys, id, options);
    case 'browsers':
      return browsers(get(ClientAccess), id, options);
    default:
      return { lines: [usage], isDone: false };
  }
};
