import type { Queries } from '../users/user.table';

/** So many wrong passwords at once, and how fast they are forgotten. */
export interface BucketSize {
  size: number;
  /** Seconds after which one more is allowed. */
  everyS: number;
}

/** Wrong passwords from one network, whatever the login. Source: reference 07 §2.5. */
export const networkBucket: BucketSize = { size: 20, everyS: 3 };

/** Wrong passwords of one login from networks that it never signed in from. Source: reference 07 §2.5. */
export const loginBucket: BucketSize = { size: 50, everyS: 30 };

/** Wrong codes of a user's second factor beside the right password, from networks that the user never signed in from. Source:
 *  reference 07 §2.5. */
export const codeBucket: BucketSize = { size: 10, everyS: 300 };

// Machine time: buckets leak by it. Source: reference 07 §2.5.
const levelSql = 'greatest(0, b.level - extract(epoch FROM now() - b.counted_at)::float8 / $2)';

// Machine time: see above.
const takeSql = `
  INSERT INTO sign_in_buckets AS b (bucket, level, counted_at) VALUES ($1, 1, now())
  ON CONFLICT (bucket) DO UPDATE SET level = ${levelSql} + 1, counted_at = now()
  WHERE ${levelSql} + 1 <= $3
  RETURNING 1`;

/** Counts one into a bucket that leaks. Returns 0, or the seconds until there is room, and then counts nothing. */
export const takeFrom = async (
  database: Queries,
  bucket: Buffer,
  { size, everyS }: BucketSize,
): Promise<number> => {
  const counted = await database.query<unknown[]>(takeSql, [bucket, everyS, size]);
  if (counted.length > 0) return 0;
  const [row] = await database.query<{ level: number }[]>(
    `SELECT ${levelSql} AS level FROM sign_in_buckets b WHERE bucket = $1`,
    [bucket, everyS],
  );
  return Math.max(1, Math.ceil(((row?.level ?? 0) + 1 - size) * everyS));
};

/** Takes one back that `takeFrom` counted. */
export const giveBackTo = async (database: Queries, bucket: Buffer): Promise<void> => {
  await database.query('UPDATE sign_in_buckets SET level = greatest(0, level - 1) WHERE bucket = $1', [
    bucket,
  ]);
};
