/** How loud an error is in the log: `info` is somebody's mistake, `warn` wants a look if it comes often, `error` wants one now. */
type ErrorLevel = 'info' | 'warn' | 'error';

export interface QuireErrorOptions extends ErrorOptions {
  /** Whether the same may succeed later without anybody doing something. */
  retryable?: boolean;
  level?: ErrorLevel;
}

/**
 * An error that this program throws on purpose: the base of them all. What is thrown and is not one of these is a fault of the
 * program, or of what it runs on. The message is a sentence for people and holds no secret.
 */
export class QuireError<Code extends string = string> extends Error {
  /** By this, and not by the message, callers distinguish cases. */
  readonly code: Code;
  readonly retryable: boolean;
  readonly level: ErrorLevel;

  constructor(code: Code, message: string, options: QuireErrorOptions = {}) {
    const { retryable = false, level = 'warn', ...cause } = options;
    super(message, cause);
    this.name = new.target.name;
    this.code = code;
    this.retryable = retryable;
    this.level = level;
  }
}

/** What a setting of the environment names cannot be used as it is. The message is a sentence for operators. */
export class SetupError<Code extends string = string> extends QuireError<Code> {
  /** Name of the environment variable. */
  readonly setting: string;
  /** What to do about it, in a sentence. */
  readonly remedy: string;

  constructor(
    code: Code,
    { setting, sentence, remedy }: { setting: string; sentence: string; remedy: string },
    options: QuireErrorOptions = {},
  ) {
    super(code, sentence, { level: 'error', ...options });
    this.setting = setting;
    this.remedy = remedy;
  }
}

/** How loud anything that was thrown is in the log: what nobody threw on purpose is a fault. */
export const errorLevel = (error: unknown): ErrorLevel =>
  error instanceof QuireError ? error.level : 'error';
