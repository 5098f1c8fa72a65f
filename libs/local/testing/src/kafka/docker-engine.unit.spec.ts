import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type RequestListener, type Server, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dockerEngineAnswers } from './docker-engine';

describe('dockerEngineAnswers', () => {
  let folder: string;
  let engine: Server;
  const start = async (listener: RequestListener): Promise<string> => {
    engine = createServer(listener).listen(join(folder, 'docker.sock'));
    await once(engine, 'listening');
    return `unix://${join(folder, 'docker.sock')}`;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scrip-docker-'));
  });
  afterEach(async () => {
    engine?.closeAllConnections();
    if (engine?.listening) await new Promise((resolve) => engine.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  it('finds one that answers its ping', async () => {
    const host = await start((request, response) => response.end(request.url));
    expect(await dockerEngineAnswers({ DOCKER_HOST: host })).toBe(true);
  });

  it('does not take a broken one, or none, for an engine', async () => {
    const host = await start((_request, response) => response.writeHead(500).end());
    expect(await dockerEngineAnswers({ DOCKER_HOST: host })).toBe(false);
    expect(await dockerEngineAnswers({ DOCKER_HOST: 'unix:///nowhere/docker.sock' })).toBe(false);
    expect(await dockerEngineAnswers({ DOCKER_HOST: 'tcp://127.0.0.1:1' })).toBe(false);
  });

  it('gives up on one that hangs', async () => {
    const host = await start(() => undefined);
    expect(await dockerEngineAnswers({ DOCKER_HOST: host })).toBe(false);
  });
});
