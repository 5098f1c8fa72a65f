import { type EmbeddedPostgres, startEmbeddedPostgres } from '@scrip/embedded-postgres';
import { waitUntil } from '@scrip/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeLiteral } from 'pg';
import { rowsOf } from '../checks/rows';
import { TcpProxy } from './tcp-proxy';

const portOf = ({ databaseUrl }: EmbeddedPostgres): number => Number(new URL(databaseUrl.reveal()).port);

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
};

/** A durable PostgreSQL server that can be stopped at once and started again, at one address. */
export class Postgres {
  private password: string | undefined;

  private constructor(
    private readonly dataDir: string,
    readonly proxy: TcpProxy,
    private server: EmbeddedPostgres,
  ) {}

  static async start(dataDir: string): Promise<Postgres> {
    const server = await startEmbeddedPostgres(dataDir, []);
    await server.synced;
    return new Postgres(dataDir, await new TcpProxy(portOf(server)).listen(), server);
  }

  get port(): number {
    return portOf(this.server);
  }

  /** Of the database `scrip`, by a way that stays the same when the server starts again. */
  urlThrough({ port }: TcpProxy): string {
    const url = new URL(this.directUrl);
    url.port = String(port);
    return url.href;
  }

  /** Of the same, past all proxies; another one after each start. */
  get directUrl(): string {
    const url = new URL(this.server.databaseUrl.reveal());
    url.password = this.password ?? url.password;
    return url.href;
  }

  /** Sets the password of another server, whose clients connect here now. */
  async takePasswordOf(other: Postgres): Promise<void> {
    const { password } = new URL(other.directUrl);
    await rowsOf(this.directUrl, `ALTER ROLE scrip PASSWORD ${escapeLiteral(password)}`);
    this.password = password;
  }

  /** As `pg_ctl stop -m immediate`: every backend ends where it is. Resolves when the server is gone. */
  async stopAtOnce(): Promise<void> {
    const pid = Number.parseInt(
      readFileSync(join(this.dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'),
      10,
    );
    process.kill(pid, 'SIGQUIT');
    await waitUntil(() => isGone(pid), { what: 'the end of PostgreSQL', timeoutMs: 30_000 });
  }

  /** Starts it again on its data, with the recovery that takes; `others` lead to it too. */
  async startAgain(others: readonly TcpProxy[]): Promise<void> {
    this.server = await startEmbeddedPostgres(this.dataDir, []);
    for (const proxy of [this.proxy, ...others]) proxy.targetPort = this.port;
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    await this.server.stop();
  }
}
