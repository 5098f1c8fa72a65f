import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { addressKey } from '@scrip/edge';
import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';

/** Wrong passwords that a login may have from one network before waiting begins, and the waits, in seconds. Source: reference
 *  07 §2.5. */
export const freeFailures = 5;
const firstWaitS = 15;
const longestWaitS = 900;

// Machine time: waits are for machines and people who wait. Counted before the password is looked at: fifty guesses at once are fifty guesses. What succeeds is forgotten again.
const countSql = `
  INSERT INTO sign_in_failures AS f (attempt, failures, failed_at, wait_until) VALUES ($1, 1, now(), now())
  ON CONFLICT (attempt) DO UPDATE SET
    failures = f.failures + 1,
    failed_at = now(),
    wait_until = CASE WHEN f.failures + 1 < ${freeFailures} THEN now()
      ELSE now() + least(${longestWaitS}, ${firstWaitS} * 2 ^ least(f.failures + 1 - ${freeFailures}, 10)) * interval '1 s' END
  WHERE f.wait_until <= now()
  RETURNING 1`;

/** A login that is tried from a network, known or not, as it is stored. */
const attemptOf = (login: string, address: string): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([login.toLowerCase(), addressKey(address)]))
    .digest();

/** Counts wrong passwords by login and network. Machine time: waits live by it. */
@Injectable()
export class SignInAttempts {
  constructor(@InjectDataSource('auth') private readonly database: DataSource) {}

  /** Counts an attempt as failed. Returns 0, or the seconds to wait, and then counts nothing. */
  async begin(login: string, address: string): Promise<number> {
    const attempt = attemptOf(login, address);
    const counted = await this.database.query<unknown[]>(countSql, [attempt]);
    if (counted.length > 0) return 0;
    const [row] = await this.database.query<{ wait: number }[]>(
      `SELECT ceil(extract(epoch FROM wait_until - now()))::int AS wait FROM sign_in_failures WHERE attempt = $1`,
      [attempt],
    );
    return Math.max(1, row?.wait ?? 1);
  }

  /** Takes back what `begin` counted: the password was not looked at. */
  async takeBack(login: string, address: string): Promise<void> {
    await this.database.query(
      `UPDATE sign_in_failures SET failures = failures - 1, wait_until = now() WHERE attempt = $1 AND failures > 0`,
      [attemptOf(login, address)],
    );
  }

  /** Forgets the failures: the password was right. */
  async succeed(login: string, address: string): Promise<void> {
    await this.database.query('DELETE FROM sign_in_failures WHERE attempt = $1', [attemptOf(login, address)]);
  }
}
