import { BoundedClient, PreparingClient } from '@scrip/event-store';
import { Secret } from '@scrip/kernel';
import { readSettings } from '../config/scrip-config';
import {
  connectionSettings,
  contextDataSourceOptions,
  lockHolderOptions,
  sessionOptions,
} from './context-data-source';

describe('the settings of a session', () => {
  it('are those of its schema, with limits, so that nobody waits for what is gone', () => {
    const { database } = readSettings({ SCRIP_TRANSACTION_TIMEOUT_MS: '1234' });
    const options = sessionOptions('campaigns', { database } as Parameters<typeof sessionOptions>[1]);
    expect(options.split(/ ?-c /).slice(1)).toEqual([
      'search_path=campaigns',
      `statement_timeout=${database.statementTimeoutMs}`,
      'transaction_timeout=1234',
      `idle_in_transaction_session_timeout=${database.idleInTransactionTimeoutMs}`,
      'tcp_keepalives_idle=15',
      'tcp_keepalives_interval=5',
      'tcp_keepalives_count=4',
      'tcp_user_timeout=35000',
      'timezone=UTC',
    ]);
  });

  it('of one that holds locks, free them when its machine vanishes', () => {
    expect(lockHolderOptions).toBe(
      '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4 -c tcp_user_timeout=35000',
    );
  });
});

describe('the settings of a connection', () => {
  const settings = {
    databaseUrl: new Secret('postgres://localhost/scrip'),
    databaseUrls: {},
    database: readSettings({ SCRIP_STATEMENT_TIMEOUT_MS: '7000' }).database,
  };
  const noticesSilence = { answerMs: 17_000, keepAlive: true, keepAliveInitialDelayMillis: 15_000 };

  it('of jobs notice a server that is gone, ten seconds after it should have ended a statement', () => {
    expect(connectionSettings('campaigns_jobs', settings)).toMatchObject({
      ...noticesSilence,
      Client: BoundedClient,
    });
  });

  it('of a context do so too', () => {
    expect(contextDataSourceOptions(settings, 'campaigns', [])).toMatchObject({
      extra: { ...noticesSilence, Client: PreparingClient },
    });
  });
});
