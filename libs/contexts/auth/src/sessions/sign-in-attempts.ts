import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { addressKey } from '@scrip/edge';
import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { isKnownNetwork, noteNetwork, pruneNetworks } from './known-networks';
import {
  type BucketSize,
  codeBucket,
  giveBackTo,
  loginBucket,
  networkBucket,
  takeFrom,
} from './sign-in-buckets';

/** Wrong passwords that a login may have from one network, and a session at all, before waiting begins; and the waits, in
 *  seconds. Source: reference 07 §2.5. */
export const freeFailures = 5;
const firstWaitS = 15;
const longestWaitS = 900;

// Machine time: waits are for machines and people. Counted before the password is looked at: fifty guesses at once are
// fifty guesses.
const countSql = `
  INSERT INTO sign_in_failures AS f (attempt, failures, failed_at, wait_until) VALUES ($1, 1, now(), now())
  ON CONFLICT (attempt) DO UPDATE SET
    failures = f.failures + 1,
    failed_at = now(),
    wait_until = CASE WHEN f.failures + 1 < ${freeFailures} THEN now()
      ELSE now() + least(${longestWaitS}, ${firstWaitS} * 2 ^ least(f.failures + 1 - ${freeFailures}, 10)) * interval '1 s' END
  WHERE f.wait_until <= now()
  RETURNING 1`;

interface SignInAttempt {
  at: 'sign-in';
  login: string;
  address: string;
  user_id: string | null;
}

/** A password that is tried: at a sign-in, with the login as `foldedLogin` returns it and its user where there is one, or again in a
 *  session. */
export type Attempt = SignInAttempt | { at: 'session'; session_id: string };

/** What is counted under, as it is stored. */
const hashOf = (...of: string[]): Buffer => createHash('sha256').update(JSON.stringify(of)).digest();

const networkOf = (address: string): Buffer => hashOf('network', addressKey(address));

/** However a login is spelled, one user is one. */
const whoOf = ({ login, user_id }: SignInAttempt): string[] =>
  user_id === null ? [login] : ['user', user_id];

const failuresOf = (attempt: Attempt): Buffer =>
  attempt.at === 'session'
    ? hashOf('session', attempt.session_id)
    : hashOf(...whoOf(attempt), addressKey(attempt.address));

const bucketsOf = (attempt: Attempt): [Buffer, BucketSize][] =>
  attempt.at === 'session'
    ? []
    : [
        [networkOf(attempt.address), networkBucket],
        [hashOf('login', ...whoOf(attempt)), loginBucket],
      ];

/** Counts wrong passwords by login and network, by network, by login, and by session. Source: ADR 103. Machine time: waits
 *  live by it. */
@Injectable()
export class SignInAttempts {
  constructor(@InjectDataSource('auth') private readonly database: DataSource) {}

  /** Counts an attempt as failed. Returns 0, or the seconds to wait, and then counts nothing. */
  async begin(attempt: Attempt): Promise<number> {
    const waitS = await this.count(failuresOf(attempt));
    if (waitS > 0 || (await this.isKnown(attempt))) return waitS;
    const taken: Buffer[] = [];
    for (const [bucket, size] of bucketsOf(attempt)) {
      const bucketWaitS = await takeFrom(this.database, bucket, size);
      if (bucketWaitS > 0) {
        await this.takeBackFrom(attempt, taken);
        return bucketWaitS;
      }
      taken.push(bucket);
    }
    return 0;
  }

  /** Takes back what `begin` counted: the password was not looked at. */
  async takeBack(attempt: Attempt): Promise<void> {
    await this.takeBackFrom(attempt, await this.takenBy(attempt));
  }

  /** Forgets the failures: the password was right. */
  async succeed(attempt: Attempt): Promise<void> {
    await this.database.query('DELETE FROM sign_in_failures WHERE attempt = $1', [failuresOf(attempt)]);
    for (const bucket of await this.takenBy(attempt)) await giveBackTo(this.database, bucket);
    if (attempt.at === 'sign-in' && attempt.user_id !== null)
      await noteNetwork(this.database, attempt.user_id, networkOf(attempt.address));
  }

  /** Counts a code of a second factor as wrong, beside a password that was right. Returns as `begin` does. */
  async beginCode(attempt: Attempt, userId: string): Promise<number> {
    return (await this.isKnown(attempt)) ? 0 : takeFrom(this.database, hashOf('code', userId), codeBucket);
  }

  /** Forgets the codes that were wrong: one was right. */
  async succeedCode(userId: string): Promise<void> {
    await this.database.query('DELETE FROM sign_in_buckets WHERE bucket = $1', [hashOf('code', userId)]);
  }

  /** Deletes what counts no longer. */
  async prune(): Promise<void> {
    await this.database.query(
      `DELETE FROM sign_in_failures WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM sign_in_failures WHERE failed_at < now() - interval '1 day' LIMIT 5000 FOR UPDATE SKIP LOCKED))`,
    );
    await this.database.query(
      `DELETE FROM sign_in_buckets WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM sign_in_buckets WHERE counted_at < now() - interval '1 day' LIMIT 5000 FOR UPDATE SKIP LOCKED))`,
    );
    await pruneNetworks(this.database);
  }

  private async count(attempt: Buffer): Promise<number> {
    const counted = await this.database.query<unknown[]>(countSql, [attempt]);
    if (counted.length > 0) return 0;
    const [row] = await this.database.query<{ wait: number }[]>(
      `SELECT ceil(extract(epoch FROM wait_until - now()))::int AS wait FROM sign_in_failures WHERE attempt = $1`,
      [attempt],
    );
    return Math.max(1, row?.wait ?? 1);
  }

  private async takeBackFrom(attempt: Attempt, buckets: readonly Buffer[]): Promise<void> {
    await this.database.query(
      `UPDATE sign_in_failures SET failures = failures - 1, wait_until = now() WHERE attempt = $1 AND failures > 0`,
      [failuresOf(attempt)],
    );
    for (const bucket of buckets) await giveBackTo(this.database, bucket);
  }

  private async takenBy(attempt: Attempt): Promise<Buffer[]> {
    return (await this.isKnown(attempt)) ? [] : bucketsOf(attempt).map(([bucket]) => bucket);
  }

  /** Strangers use up the buckets, and not those who signed in from there before. */
  private async isKnown(attempt: Attempt): Promise<boolean> {
    if (attempt.at === 'session' || attempt.user_id === null) return false;
    return isKnownNetwork(this.database, attempt.user_id, networkOf(attempt.address));
  }
}
