import { firstLogin, FirstUser, newPassword } from '@scrip/auth';
import { firstUserNote } from '@scrip/data-directory';
import { Secret } from '@scrip/kernel';
import type { RunningApp, ScripConfig } from '@scrip/service';

/** Makes the first user where there is none, and says how to sign in as it. A password that is not given is made and shown
 *  where standard output is a terminal; otherwise it would stand in a log. */
export const openFirstUser = async (
  { app }: RunningApp,
  { users: { adminPassword } }: Pick<ScripConfig, 'users'>,
): Promise<void> => {
  const shown = adminPassword === null && process.stdout.isTTY ? new Secret(newPassword()) : null;
  const made = await app.get(FirstUser, { strict: false }).make(adminPassword ?? shown);
  if (made === 'made' && adminPassword === null)
    process.stdout.write(firstUserNote(firstLogin, shown?.reveal() ?? null));
};
