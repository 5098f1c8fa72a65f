import { FirstUser, operator, SecondFactors, type User, UserHandlers } from '@scrip/auth';
import { isRefused } from '@scrip/kernel';
import type { OpenConsumers } from '@scrip/service';
import type { CommandEnd } from '../commands';

/** How the commands are written. */
export const userUsage = [
  'npm run users -- list',
  'npm run users -- reset <login>                           a new password, shown once',
  'npm run users -- reset-second-factor <login>             sign-ins take the password alone',
  'npm run users -- block <login>, unblock <login>',
].join('\n');

/** Whether a command line is a command, of which nothing is missing. */
export const isUserCommand = ([command = '', ...rest]: readonly string[]): boolean =>
  command === 'list'
    ? rest.length === 0
    : ['reset', 'reset-second-factor', 'block', 'unblock'].includes(command) && rest.length === 1;

const rolesOf = ({ is_owner, projects }: User): string =>
  is_owner
    ? 'owner'
    : Object.entries(projects)
        .map(([project, role]) => `${project}=${role}`)
        .join(',');

const lineOf = (user: User): string =>
  [
    user.login,
    user.id,
    rolesOf(user),
    `${user.first_name} ${user.last_name}`.trim(),
    user.email ?? '',
    user.password_hash === null ? 'no password' : '',
    user.is_active ? '' : 'BLOCKED',
  ]
    .filter((part) => part !== '')
    .join('  ');

const refused = (login: string): CommandEnd => ({
  lines: [`there is no user with login ${login}: npm run users -- list shows them`],
  isDone: false,
});

const reset = async (firstUser: FirstUser, login: string): Promise<CommandEnd> => {
  const password = await firstUser.reset(login);
  if (isRefused(password)) return refused(login);
  return {
    lines: [
      `${login}  ${password.reveal()}`,
      'The password is shown this once, and is to be changed at the next sign-in.',
    ],
    isDone: true,
  };
};

const resetFactor = async (
  users: UserHandlers,
  factors: SecondFactors,
  login: string,
): Promise<CommandEnd> => {
  const user = await users.findByLogin(login);
  if (!user) return refused(login);
  const removed = await factors.remove(user.id, operator());
  return { lines: [isRefused(removed) ? 'there was none' : 'done'], isDone: true };
};

const setActive = async (users: UserHandlers, login: string, is_active: boolean): Promise<CommandEnd> => {
  const user = await users.findByLogin(login);
  if (!user) return refused(login);
  const changed = await users.change(operator(), user.id, { type: 'SetActive', is_active });
  return isRefused(changed) ? refused(login) : { lines: ['done'], isDone: true };
};

/** Runs one command line over the users of an installation. A line that is no command prints the usage. */
export const runUserCommand = async (
  { get }: Pick<OpenConsumers, 'get'>,
  [command, login = '']: readonly string[],
): Promise<CommandEnd> => {
  switch (command) {
    case 'list':
      return { lines: (await get(UserHandlers).all()).map(lineOf), isDone: true };
    case 'reset':
      return reset(get(FirstUser), login);
    case 'reset-second-factor':
      return resetFactor(get(UserHandlers), get(SecondFactors), login);
    case 'block':
      return setActive(get(UserHandlers), login, false);
    case 'unblock':
      return setActive(get(UserHandlers), login, true);
    default:
      return { lines: [userUsage], isDone: false };
  }
};
