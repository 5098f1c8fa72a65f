import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { isRefused, type Refusal, Secret } from '@scrip/kernel';
import { operator } from '../audit/audit-operator';
import { ConfigurationError } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { unknownLogin } from './new-members';
import { newPassword, PasswordHashes } from './password-hashes';
import { problemOfPassword } from './password-rules';
import { UserHandlers } from './user.handlers';

/** Login of the user that the first start makes. */
export const firstLogin = 'admin';

/** Whose turn it is to hash where no caller waits. */
const ofOperators = 'operators';

/** Makes the first user, and new passwords for those who lost theirs. */
@Injectable()
export class FirstUser {
  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    private readonly users: UserHandlers,
    private readonly hashes: PasswordHashes,
  ) {}

  /** Makes the owner `admin` where there is no user at all; else changes nothing. `password`: to be changed at the first
   *  sign-in; null: none, until `reset` makes one. Throws `ConfigurationError` for a password that is not accepted. */
  async make(password: Secret | null): Promise<'made' | 'there already'> {
    if (await this.isThere()) return 'there already';
    const problem = password && problemOfPassword(password.reveal(), firstLogin);
    if (problem) throw new ConfigurationError(`SCRIP_ADMIN_PASSWORD ${problem}`);
    const password_hash = password && (await this.hashes.hash(password.reveal(), ofOperators));
    const added = await this.users.add(operator(), {
      ...{ login: firstLogin, email: null, first_name: 'Admin', last_name: '', is_owner: true },
      password_hash,
    });
    return isRefused(added) ? 'there already' : 'made';
  }

  /** Whether the user has no password yet, so that no sign-in as it is possible. */
  async lacksPassword(): Promise<boolean> {
    return (await this.users.findByLogin(firstLogin))?.password_hash === null;
  }

  /** Gives a user a new password, to be changed at the next sign-in, and returns it: it can never be read again. Refuses
   *  `not_found`. */
  async reset(login: string): Promise<Secret | Refusal<'not_found'>> {
    const user = await this.users.findByLogin(login);
    if (!user) return unknownLogin(login);
    const password = newPassword();
    const password_hash = await this.hashes.hash(password, ofOperators);
    await this.users.change(operator(), user.id, {
      ...{ type: 'SetPassword', password_hash, must_change_password: true },
    });
    return new Secret(password);
  }

  private async isThere(): Promise<boolean> {
    const rows = await this.database.query<unknown[]>('SELECT 1 FROM users LIMIT 1');
    return rows.length > 0;
  }
}
