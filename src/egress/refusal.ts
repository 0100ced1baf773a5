import { type ErrorCode, TiercelError } from '../errors.ts';
import type { DenyRule, OpenFailure, OpenFailureReason } from './model.ts';

const EXPLANATIONS: Record<DenyRule, string> = {
  invalid_url: 'only absolute http and https URLs can be reached',
  not_allowed: 'the origin is neither a configured deployment nor listed in egress.allow',
  local_only: 'only loopback and private addresses of egress.allowPrivate may be reached',
  private_address: 'it is an address inside, which egress.allowPrivate does not list',
  link_local_address: 'it is a link-local address, which egress.allowPrivate does not list',
  metadata_address: 'it is a cloud metadata address, which egress.allowPrivate does not list by itself',
  reserved_address: 'it is an address that no service can have',
};

/** Names the host and the rule, nothing of the request. */
export function denialMessage(target: { place: string } | null, rule: DenyRule): string {
  const host = target ? `to ${target.place} ` : '';
  return `Egress ${host}refused (${rule}): ${EXPLANATIONS[rule]}.`;
}

const CODES: Record<OpenFailureReason, ErrorCode> = {
  denied: 'egress_denied',
  connect: 'upstream_unreachable',
  dns: 'upstream_unreachable',
  tls: 'upstream_unreachable',
  reset: 'upstream_unreachable',
  connect_timeout: 'upstream_timeout',
  header_timeout: 'upstream_timeout',
  deadline: 'deadline_exceeded',
  aborted: 'client_closed',
};

/** The failure as the error that crosses rooms: `egress_denied`, `upstream_unreachable`, `upstream_timeout` and so on. */
export function toTiercelError(failure: OpenFailure): TiercelError {
  return new TiercelError(CODES[failure.reason], failure.message);
}
