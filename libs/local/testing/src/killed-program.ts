import { Pool } from 'pg';
import { type RunningChild, startTypescript } from './child-process';
import { projectOf } from './project';
import { waitUntil } from './wait-until';

/** When `killWhileWorking` kills, and what else it does then. */
export interface Killing {
  kills: number;
  /** Grows while the program works. */
  progress(): Promise<number>;
  /** The progress before the work was asked for, where it may be done by now; absent: the present one. */
  before?: number;
  /** Told the progress that a kill left. */
  afterKill?(progress: number): Promise<void> | void;
}

/** A TypeScript program in a process of its own, which a spec kills and starts again on one database. */
export class KilledProgram {
  private constructor(
    private readonly program: string,
    private readonly databaseUrl: string,
    /** The process that runs, or ran last. */
    private child: RunningChild,
    /** To look at what the processes wrote. */
    readonly database: Pool,
  ) {}

  /** Starts `program` as `startTypescript` does, with `DATABASE_URL` in its environment. To be ended. */
  static async start(
    program: string,
    databaseUrl: string,
    environment: Record<string, string> = {},
  ): Promise<KilledProgram> {
    const child = await startTypescript(program, { ...environment, DATABASE_URL: databaseUrl });
    return new KilledProgram(
      program,
      databaseUrl,
      child,
      new Pool({ connectionString: databaseUrl, max: 2 }),
    );
  }

  /** Calls the process by the server key `app` of `projectOf()`; whatever the status. Throws where no process answers. */
  async call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: any }> {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${this.child.origin}${path}`, {
      method,
      headers: {
        'x-app-id': 'app',
        'x-app-token': projectOf().id,
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  }

  /** The number that a statement returns: the first column of its first row. */
  async count(sql: string): Promise<number> {
    const { rows } = await this.database.query<[string]>({ text: sql, rowMode: 'array' });
    return Number(rows[0]?.[0]);
  }

  /** Ends the process at once, as `kill -9` does. */
  async kill(): Promise<void> {
    await this.child.kill();
  }

  /** Starts the program again, with an environment of its own; its process was killed. */
  async startAgain(environment: Record<string, string> = {}): Promise<void> {
    this.child = await startTypescript(this.program, { ...environment, DATABASE_URL: this.databaseUrl });
  }

  /** Kills the process `kills` times, each time once `progress` has grown, and starts it again with `environment`. */
  async killWhileWorking(killing: Killing, environment: Record<string, string> = {}): Promise<void> {
    const { kills, progress, before: begun, afterKill } = killing;
    let before = begun ?? (await progress());
    for (let killed = 0; killed < kills; killed += 1) {
      await waitUntil(async () => (await progress()) > before, {
        what: 'another step of the work',
        timeoutMs: 60_000,
        intervalMs: 1,
      });
      await this.kill();
      // The server may still be committing what the process asked for last.
      before = await progress();
      await afterKill?.(before);
      await this.startAgain(environment);
    }
  }

  async end(): Promise<void> {
    await this.kill();
    await this.database.end();
  }
}
