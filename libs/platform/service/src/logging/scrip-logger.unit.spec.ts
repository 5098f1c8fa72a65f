import { withLogContext } from './log-context';
import { ScripLogger } from './scrip-logger';

const logged = (write: (logger: ScripLogger) => void, level = 'info'): Record<string, unknown>[] => {
  const lines: Record<string, unknown>[] = [];
  write(
    new ScripLogger({
      level,
      destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    }),
  );
  return lines.map(({ time: _time, ...line }) => line);
};

describe('the log', () => {
  it('has one JSON line per entry, with level and who wrote it', () => {
    expect(logged((logger) => logger.log('settled', 'Settlement'))).toEqual([
      { level: 'info', where: 'Settlement', msg: 'settled' },
    ]);
  });

  it('carries the request id of whoever is served, also after a wait', async () => {
    const lines: unknown[] = [];
    const logger = new ScripLogger({
      level: 'info',
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    });
    await withLogContext({ request_id: 'v-1' }, async () => {
      await new Promise(setImmediate);
      logger.warn('slow');
    });
    logger.warn('elsewhere');
    expect(lines).toMatchObject([{ request_id: 'v-1', msg: 'slow' }, { msg: 'elsewhere' }]);
    expect(lines[1]).not.toHaveProperty('request_id');
  });

  it('masks secrets in texts and fields', () => {
    const [line] = logged((logger) =>
      logger.error({ headers: { 'x-app-token': 'topsecret' } }, undefined, 'Edge'),
    );
    expect(line).toMatchObject({ where: 'Edge', headers: { 'x-app-token': '***' } });
    expect(JSON.stringify(logged((logger) => logger.log('Bearer topsecret')))).not.toContain('topsecret');
  });

  it('shows errors with their stack', () => {
    expect(logged((logger) => logger.error(new Error('broken'), 'Boot'))).toMatchObject([
      { level: 'error', where: 'Boot', msg: 'broken', err: { type: 'Error', message: 'broken' } },
    ]);
  });

  it.each([
    ['info', ['info']],
    ['debug', ['info', 'debug']],
    ['silent', []],
  ])('at level %s writes %j', (level, levels) => {
    const lines = logged((logger) => {
      logger.log('a');
      logger.debug('b');
    }, level);
    expect(lines.map((line) => line.level)).toEqual(levels);
  });
});
