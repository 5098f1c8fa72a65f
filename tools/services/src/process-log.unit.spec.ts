import { ProcessLog } from './process-log';

describe('the log of processes', () => {
  let written: string;
  const log = (readable: boolean) => {
    written = '';
    // Colours, where the terminal has some, are not what these specs are about.
    return new ProcessLog({ write: (text) => (written += text.replace(/\u001b\[\d+m/g, '')) }, readable, 10);
  };

  it('says of each line whose it is', () => {
    const lines = log(false);
    lines.line('auth.1', '{"msg":"ready"}');
    lines.note('all there');
    expect(written).toBe('auth.1     | {"msg":"ready"}\nscrip      | all there\n');
  });

  it('is readable for people, each line of a stack with its prefix', () => {
    log(true).line(
      'auth.1',
      '{"level":"error","time":"2026-03-31T10:20:30.456Z","msg":"it failed","stack":"Error\\n at here"}',
    );
    expect(written).toBe(
      'auth.1     | 10:20:30.456 error it failed\nauth.1     | Error\nauth.1     |  at here\n',
    );
  });

  it('passes on what is no JSON', () => {
    const lines = log(true);
    lines.line('auth.1', 'a plain line');
    lines.line('auth.1', '{ not JSON');
    expect(written).toBe('auth.1     | a plain line\nauth.1     | { not JSON\n');
  });
});
