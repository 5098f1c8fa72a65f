import { readableLines } from '@scrip/service';
import colors from 'picocolors';

/** Writes the lines of the processes, each with the name of its process. */
export class ProcessLog {
  private readonly paints = [colors.cyan, colors.magenta, colors.blue, colors.green, colors.yellow];
  private readonly paintOf = new Map<string, (text: string) => string>();

  /** `readable`: for people, instead of the JSON that services write. */
  constructor(
    private readonly output: { write(text: string): unknown },
    private readonly readable: boolean,
    private readonly width: number,
  ) {}

  /** A line of a process, as it wrote it. */
  line(label: string, text: string): void {
    if (!this.readable || !text.startsWith('{')) return this.print(label, text);
    try {
      const whole = { write: (lines: string) => this.print(label, lines.trimEnd()) };
      readableLines(whole).write(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.print(label, text); // It only looked like JSON.
    }
  }

  /** Writes a line of the supervisor. */
  note(text: string): void {
    this.print('scrip', text);
  }

  private print(label: string, lines: string): void {
    const prefix = `${this.paint(label)(label.padEnd(this.width))} ${colors.dim('|')} `;
    this.output.write(
      lines
        .split('\n')
        .map((line) => `${prefix}${line}\n`)
        .join(''),
    );
  }

  private paint(label: string): (text: string) => string {
    const known = this.paintOf.get(label);
    if (known) return known;
    const paint = this.paints[this.paintOf.size % this.paints.length] as (text: string) => string;
    this.paintOf.set(label, paint);
    return paint;
  }
}
