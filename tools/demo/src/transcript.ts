import colors from 'picocolors';

const linesMax = 24;

const shortened = (text: string): string => {
  const lines = text.split('\n');
  return lines.length <= linesMax
    ? text
    : [...lines.slice(0, linesMax - 1), `… ${lines.length - linesMax + 1} more lines`].join('\n');
};

const shown = (answer: unknown): string =>
  shortened(typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2));

/** Thrown when an answer differs from what the main job expects. */
export class NotAsExpected extends Error {
  override readonly name = 'NotAsExpected';
}

/** Prints the calls and counts the checks. */
export class Transcript {
  private checks = 0;

  constructor(private readonly print: (text: string) => void) {}

  get checked(): number {
    return this.checks;
  }

  step(title: string): void {
    this.print(`\n${colors.bold(title)}\n`);
  }

  call(command: string, status: number, answer: unknown): void {
    const body = status === 204 ? '' : `${shown(answer)}\n`;
    this.print(`${colors.cyan(`$ ${command}`)}\n${colors.dim(`HTTP ${status}`)}\n${body}`);
  }

  webhook(type: string, id: string, data: unknown): void {
    this.print(`${colors.magenta(`webhook ${type}`)} ${colors.dim(id)}\n${shown(data)}\n`);
  }

  /** Throws `NotAsExpected` unless `actual` is `expected`. */
  expect(what: string, actual: unknown, expected: unknown): void {
    this.checks += 1;
    if (JSON.stringify(actual) !== JSON.stringify(expected)) {
      throw new NotAsExpected(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
    }
    this.print(`${colors.green('✓')} ${what}: ${JSON.stringify(expected)}\n`);
  }
}
