import { existsSync } from 'node:fs';
import { type RequestOptions, request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

const timeoutMs = 2_000;

const socketsOf = (env: NodeJS.ProcessEnv): string[] => [
  '/var/run/docker.sock',
  join(homedir(), '.docker', 'run', 'docker.sock'),
  ...(env.XDG_RUNTIME_DIR ? [join(env.XDG_RUNTIME_DIR, 'docker.sock')] : []),
];

const addressesOf = (env: NodeJS.ProcessEnv): RequestOptions[] => {
  if (!env.DOCKER_HOST)
    return socketsOf(env)
      .filter((socketPath) => existsSync(socketPath))
      .map((socketPath) => ({ socketPath }));
  const { protocol, hostname, port, pathname } = new URL(env.DOCKER_HOST);
  return [protocol === 'unix:' ? { socketPath: pathname } : { host: hostname, port }];
};

const answers = (address: RequestOptions): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request({ ...address, path: '/_ping', timeout: timeoutMs }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('close', () => resolve(false));
    asked.on('error', () => resolve(false));
    asked.end();
  });

/** Whether a Docker engine answers, where `DOCKER_HOST` says or at the usual sockets; at once where there is none, and
 *  after 2 s where one hangs. */
export const dockerEngineAnswers = async (env: NodeJS.ProcessEnv = process.env): Promise<boolean> =>
  (await Promise.all(addressesOf(env).map(answers))).includes(true);
