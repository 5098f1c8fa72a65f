import { Module } from '@nestjs/common';
import { authPort } from '@scrip/contracts/auth';
import { embeddedEdge } from '@scrip/edge';
import { fakeAuth, httpCall, testKeys, testPrincipal } from '@scrip/edge/testing';
import { Secret } from '@scrip/kernel';
import { servedPortToken } from '@scrip/rpc';
import { bootScrip, readSettings, type RunningApp, ScripLogger } from '@scrip/service';
import { createDatabase } from '@scrip/testing';
import { galleryContext } from './index';

const auth = fakeAuth({ 'server:app:secret': testPrincipal() });

@Module({ providers: [{ provide: servedPortToken(authPort), useValue: auth }] })
class AuthModule {}

/** The gallery behind the edge, on a database of its own. */
export interface GalleryFixture {
  running: RunningApp;
  call(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<{ status: number; body: any }>;
}

export const bootGallery = async (): Promise<GalleryFixture> => {
  const running = await bootScrip({
    contexts: [{ name: 'auth', module: AuthModule, migrations: [] }, galleryContext],
    config: {
      ...readSettings({ SCRIP_PORT: '0' }),
      masterKey: new Secret(Buffer.alloc(32, 7).toString('base64')),
      databaseUrl: new Secret(await createDatabase('gallery')),
    },
    edge: embeddedEdge,
    logger: new ScripLogger({ level: 'silent' }),
  });
  const send = httpCall(running.url);
  const headers = { ...testKeys.server, 'content-type': 'application/json' };
  return { running, call: (method, path, body) => send({ method, path, headers, body }) };
};
