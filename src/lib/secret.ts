import { inspect } from 'node:util';

/**
 * A credential that cannot be printed by accident: text, JSON and `util.inspect` all give `[secret]`.
 * Only the place that puts it into a header calls {@link Secret.reveal}.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
