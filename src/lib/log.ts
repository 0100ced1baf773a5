/** What rooms need of a logger; pino fulfils it. Fields come first, as pino has them, and hold no prompt and no secret. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** For libraries and tests: says nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
