import type { CandidateReason, SteeringMethod, StepReason } from '@fairway/contract'

/** Reasons in words, for a terminal. The console has its own, in three languages. */
export const METHODS: Record<SteeringMethod, string> = {
  'always-use': 'always use',
  'static-route': 'static route',
  'best-latency': 'best latency',
  'best-availability': 'best availability',
  'weighted-distribution': 'weighted distribution',
  'regional-latency': 'regional latency',
}

export const STEP_REASONS: Record<StepReason, string> = {
  decided: 'decides',
  disabled: 'passed, it is switched off',
  'filter-place': 'passed, it is for other places',
  'filter-network': 'passed, it is for other networks',
  'filter-cidr': 'passed, it is for other addresses',
  'no-targets': 'passed, it names no CDN',
  'no-serving-target': 'passed, none of its CDNs serves this domain',
  'all-hard-down': 'passed, all its CDNs are down',
  'below-threshold': 'passed, none of its CDNs is available enough',
  'no-latency-data': 'passed, no latency is known for its CDNs',
  'incomplete-latency-data': 'passed, it wants latency of all its CDNs and some is missing',
  'no-availability-data': 'passed, no availability is known for its CDNs',
  'zero-weights': 'passed, all its weights are zero',
  'fallback-most-available': 'no strategy decides: the most available CDN',
  'fallback-even-split': 'no strategy decides and nothing is measured: evenly over all CDNs',
  'fallback-none-serving': 'no strategy decides and no CDN serves yet: evenly over those that are enabled',
  'fallback-none-enabled': 'no CDN is enabled',
  'not-reached': 'not reached, one above decides',
}

export const CANDIDATE_REASONS: Record<CandidateReason, string> = {
  chosen: 'chosen',
  'chosen-share': 'chosen for its share',
  'chosen-standby': 'chosen, the stand-by',
  'kept-by-margin': 'chosen again: the faster one is not faster by the margin',
  'tie-by-order': 'chosen, the first of equals',
  'not-installed': 'not installed on this domain',
  disabled: 'switched off',
  'not-serving': 'does not serve this domain yet',
  'hard-down': 'down, say the probes',
  'below-threshold': 'not available enough',
  'no-availability-data': 'its availability is not known',
  'no-latency-data': 'its latency is not known',
  slower: 'slower',
  'less-available': 'less available',
  'later-in-order': 'later in the order',
  standby: 'stand-by',
  'within-margin': 'faster, but not by the margin',
  'not-target': 'not a target of this strategy',
  'outside-filter': 'for this CDN a VSR rule puts the visitor outside the filter',
  'not-compared': 'not compared',
}
