import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Keyring, type Refusal, refuse } from '@scrip/kernel';
import { purposeRing, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import type { DataSource, EntityManager } from 'typeorm';
import type { AuditActor, AuditFact } from '../audit/audit-entry';
import { storeAudit } from '../audit/audit.table';
import { endOtherSessionsOf } from '../sessions/session.table';
import type { User } from '../users/user';
import { lockUser } from '../users/user.table';
import { backupCodeHash, newBackupCodes } from './backup-codes';
import {
  deleteFactor,
  factorOf,
  lockFactor,
  secondFactorsPurpose,
  storeBackupCodes,
  storeFactor,
  type StoredFactor,
  useBackupCode,
  useStep,
} from './second-factor.table';
import { newTotpSecret, stepOfCode, totpUri } from './totp';

/** A secret that is to be entered into an authenticator, shown this once. */
export interface OfferedFactor {
  /** In base32. */
  secret: string;
  uri: string;
}

const factorFact = (action: string, userId: string): AuditFact => ({
  ...{ action, project_id: null, resource_type: 'user', resource_id: userId },
});

const wrongCode = (): Refusal<'invalid_payload'> =>
  refuse('invalid_payload', 'Property .code is not the code that the authenticator shows');

/** What is stored of second factors: secrets sealed with the master key, backup codes as hashes. A code counts once: the step of the
 *  last one is used up by the statement that takes it. Machine time: codes live by it. Source: reference 07 §2.5. */
@Injectable()
export class SecondFactors {
  private readonly keys: Keyring;

  constructor(
    @InjectDataSource('auth') private readonly database: DataSource,
    @Inject(SCRIP_CONFIG) config: ScripConfig,
  ) {
    this.keys = purposeRing(config, secondFactorsPurpose);
  }

  /** Backup codes that are left; null: the user has no second factor. */
  async backupCodesLeft(userId: string): Promise<number | null> {
    const factor = await factorOf(this.database, userId);
    return factor?.confirmed ? factor.backup_codes_left : null;
  }

  /** Makes a secret, which counts from its confirmation on. Refuses `second_factor_exists`. */
  async offer({ id, login }: User): Promise<OfferedFactor | Refusal<'second_factor_exists'>> {
    const secret = newTotpSecret();
    return (await storeFactor(this.database, id, this.keys.seal(secret, id)))
      ? { secret, uri: totpUri(secret, login) }
      : refuse('second_factor_exists', 'The user has a second factor already');
  }

  /** Has the offered secret count, ends the other sessions of the user and returns its backup codes. Refuses `second_factor_exists`,
   *  `not_found` where none was offered, and `invalid_payload` for a wrong code. */
  async confirm(
    userId: string,
    sessionId: string,
    code: string,
    by: AuditActor,
  ): Promise<string[] | Refusal<'second_factor_exists' | 'not_found' | 'invalid_payload'>> {
    return this.database.transaction(async (manager) => {
      // As sessions begin: one that began without a code is there to be ended, or sees that one is asked for.
      await lockUser(manager, userId);
      const factor = await factorOf(manager, userId);
      if (!factor) return refuse('not_found', 'No second factor was begun');
      if (factor.confirmed) return refuse('second_factor_exists', 'The user has a second factor already');
      if (!(await this.takeCode(manager, userId, factor, code, true))) return wrongCode();
      await endOtherSessionsOf(manager, userId, sessionId);
      await storeAudit(manager, by, [factorFact('second_factor.confirmed', userId)]);
      return this.renewCodes(manager, userId);
    });
  }

  /** Replaces the backup codes. Refuses `not_found` without a second factor. */
  async newCodes(userId: string, by: AuditActor): Promise<string[] | Refusal<'not_found'>> {
    return this.database.transaction(async (manager) => {
      if (!(await lockFactor(manager, userId))) return refuse('not_found', 'The user has no second factor');
      await storeAudit(manager, by, [factorFact('second_factor.codes_renewed', userId)]);
      return this.renewCodes(manager, userId);
    });
  }

  /** Takes the second factor away. Refuses `not_found` without one. */
  remove(userId: string, by: AuditActor): Promise<Refusal<'not_found'> | null> {
    return this.database.transaction(async (manager) => {
      if (!(await deleteFactor(manager, userId))) return refuse('not_found', 'The user has no second factor');
      await storeAudit(manager, by, [factorFact('second_factor.removed', userId)]);
      return null;
    });
  }

  /** Whether a user has a second factor that counts. In a transaction that holds the lock of the user: until its end. */
  async isOn(manager: EntityManager, userId: string): Promise<boolean> {
    return (await factorOf(manager, userId))?.confirmed === true;
  }

  /** Whether a user may go on: without a second factor (`none`), or with its code or a backup code, which count no more then.
   *  `missing`: there is a second factor, and no code. */
  async pass(userId: string, code: string | undefined): Promise<'none' | 'passed' | 'missing' | 'wrong'> {
    const factor = await factorOf(this.database, userId);
    if (!factor?.confirmed) return 'none';
    if (code === undefined || code === '') return 'missing';
    const isRight =
      (await this.takeCode(this.database.manager, userId, factor, code, false)) ||
      (await useBackupCode(this.database, userId, backupCodeHash(code)));
    return isRight ? 'passed' : 'wrong';
  }

  private async takeCode(
    manager: EntityManager,
    userId: string,
    { sealed_secret: sealed }: StoredFactor,
    code: string,
    confirm: boolean,
  ): Promise<boolean> {
    const step = stepOfCode(this.keys.open(sealed, userId), code.replace(/\s/g, ''), Date.now());
    return step !== null && useStep(manager, { userId, sealed, step, confirm });
  }

  private async renewCodes(manager: EntityManager, userId: string): Promise<string[]> {
    const codes = newBackupCodes();
    await storeBackupCodes(manager, userId, codes.map(backupCodeHash));
    return codes;
  }
}
