import { Logger } from '@nestjs/common';
import { Secret } from '@scrip/kernel';
import { type KafkaServer, freePort, prepareKafka, startKafka, waitUntil } from '@scrip/testing';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startInstance, writeNotes } from '../testing/adapter-harness.fixture';
import { uniqueService } from '../testing/kafka-harness.fixture';
import { type ShopAndStats, shopAndStats } from '../testing/shop-and-stats.fixture';
import { BrokerAdmin } from './broker-admin';
import { KafkaClient } from './kafka-client';
import { KafkaEventTransport } from './kafka-event-transport';
import type { KafkaSettings } from './kafka-settings';
import { KafkaRelay } from './relay/kafka-relay';

Logger.overrideLogger(false);

const run = promisify(execFile);
const password = 'a-password-of-brokers';

/** A broker whose listener `secure` asks for TLS, and who comes: `scrip`, by PLAIN or SCRAM. */
const startSecured = async (folder: string): Promise<{ kafka: KafkaServer; secure: number; ca: string }> => {
  const { java } = await prepareKafka();
  const keytool = java.replace(/java$/, 'keytool');
  const store = join(folder, 'broker.p12');
  const access = ['-keystore', store, '-storepass', password, '-alias', 'broker'];
  const names = ['-dname', 'CN=broker', '-ext', 'san=dns:localhost', '-ext', 'bc=ca:true'];
  await run(keytool, ['-genkeypair', '-keyalg', 'RSA', '-storetype', 'PKCS12', ...access, ...names]);
  const certificate = join(folder, 'broker.pem');
  await run(keytool, ['-exportcert', '-rfc', '-file', certificate, ...access]);
  const [port, controller, secure] = [await freePort(), await freePort(), await freePort()];
  const kafka = await startKafka({
    port,
    quickStart: true,
    scramUsers: { scrip: password },
    settings: {
      'controller.quorum.voters': `1@127.0.0.1:${controller}`,
      listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller},SECURE://127.0.0.1:${secure}`,
      'advertised.listeners': `PLAINTEXT://127.0.0.1:${port},SECURE://localhost:${secure}`,
      'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL',
      'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-512',
      'listener.name.secure.plain.sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required user_scrip="${password}";`,
      'listener.name.secure.scram-sha-512.sasl.jaas.config':
        'org.apache.kafka.common.security.scram.ScramLoginModule required;',
      'ssl.keystore.type': 'PKCS12',
      'ssl.keystore.location': store,
      'ssl.keystore.password': password,
    },
  });
  return { kafka, secure, ca: readFileSync(certificate, 'utf8') };
};

let folder: string;
let kafka: KafkaServer;
let secured: KafkaSettings;
let shop: ShopAndStats;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scrip-secured-'));
  const started = await startSecured(folder);
  kafka = started.kafka;
  secured = {
    brokers: [`localhost:${started.secure}`],
    clientId: 'scrip-test',
    partitions: 1,
    replicationFactor: 1,
    retentionMs: 3_600_000,
    messageBytesMax: 1_048_576,
    tls: { ca: started.ca },
    sasl: { mechanism: 'scram-sha-512', username: 'scrip', password: new Secret(password) },
  };
}, 120_000);
afterAll(async () => {
  await kafka.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  shop = await shopAndStats(uniqueService(), { works: true });
});
afterEach(() => shop.close());

describe('brokers that ask for TLS and who comes', () => {
  it.each(['plain', 'scram-sha-512'] as const)(
    'carry events for who proves himself by %s',
    async (mechanism) => {
      const settings: KafkaSettings = { ...secured, sasl: { ...secured.sasl!, mechanism } };
      const [topic] = shop.topics;
      const relay = new KafkaRelay({ store: shop.store, database: shop.shop, kafka: settings });
      await relay.start();
      const own = await shop.source('stats');
      const transport = new KafkaEventTransport({ kafka: settings, databaseOf: () => own, pollMs: 100 });
      const reader = await startInstance(
        {
          connect: async () => ({ transport, database: own, kill: async () => {}, release: async () => {} }),
        } as never,
        [
          {
            topics: topic,
            options: { group: 'stats.notes' },
            handle: (batch) => batch.commit((manager) => writeNotes(manager, batch)),
          },
        ],
      );
      try {
        await shop.append([{ stream: 'a', number: 1 }], topic);
        await waitUntil(async () => (await own.query<unknown[]>('SELECT 1 FROM noted')).length === 1, {
          what: 'the note',
        });
      } finally {
        await reader.stop();
        await relay.stop();
      }
    },
  );

  const topicsSeenBy = async (settings: KafkaSettings): Promise<string[]> => {
    const client = new KafkaClient(settings);
    const admin = new BrokerAdmin(client);
    try {
      return await admin.ask((broker) => broker.listTopics());
    } finally {
      client.cutOff();
      await admin.close();
    }
  };

  it.each<[string, Partial<KafkaSettings>]>([
    [
      'who has another password',
      { sasl: { mechanism: 'plain', username: 'scrip', password: new Secret('guess') } },
    ],
    ['who does not say who it is', { sasl: null }],
    ['who does not know the authority of their certificate', { tls: { ca: null } }],
    ['who does not encrypt', { tls: null }],
  ])('tell nothing to %s', async (_who, change) => {
    expect(await topicsSeenBy(secured)).toEqual(expect.any(Array));
    await expect(topicsSeenBy({ ...secured, ...change })).rejects.toThrow();
  });
});
