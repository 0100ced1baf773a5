import { build } from './support/dist.mjs';

process.exitCode = build() ? 0 : 1;
