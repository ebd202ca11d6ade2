export { lastWeek, medianRanks, shareInterval } from './analytics-dem/weekly-report.ts'
export { ERASED_PERSON, LAST_LETTERS_DAYS, closesAt, closingProblem } from './access/closing.ts'
export { type Caller, type Refusal, mayNotCall } from './access/may-call.ts'
export {
  POSSIBLE,
  type PeopleProblem,
  type Person,
  actOnProblem,
  assignProblem,
  lastAdminProblem,
  mayAssign,
} from './access/people.ts'
export { READY_ROLES, readyRoleOf } from './access/ready-roles.ts'
export { levelsOf, roleIdsOf, roleOf } from './access/role-ids.ts'
export {
  type Level,
  type Resource,
  type Role,
  API_TIERS,
  LEVELS,
  RESOURCES,
  apiTierOf,
  permissionsOf,
  permissionsOfTier,
} from './access/roles.ts'
export { type CreditGrant, creditBalance, creditLeft, useCredit } from './billing/credit.ts'
export { type DayUsage, expectedAt, forecastUsage } from './billing/forecast.ts'
export { type ChargeLine, type Discount, type InvoiceTotals, invoiceTotals } from './billing/invoice.ts'
export { decimalText, formatMoney, minorDigits, parseMoney, shareDown } from './billing/money.ts'
export { type Span, addMonths, monthOf } from './billing/months.ts'
export { MOST_ATTEMPTS, codeOfDecline, nextAttemptAt } from './billing/payment-steps.ts'
export { prorate } from './billing/prorate.ts'
export { type SpendingFacts, spendingProblem } from './billing/spending.ts'
export { type TrialState, trialState } from './billing/trial.ts'
export { quotaReached, usageItems } from './billing/usage-items.ts'
export { shareOfAllowances, totalAllowances, usageAmount, usageLines } from './billing/usage-lines.ts'
export { type BrandContrast, brandContrast, nearestReadable } from './brand/brand-contrast.ts'
export { contrast, inkOn } from './brand/ink.ts'
export { svgProblem } from './brand/svg-problem.ts'
export { challengeFor, isWildcard } from './certificates/challenge.ts'
export { certificateNamesProblem, isCertificateName } from './certificates/check-names.ts'
export { type Life, certificateStatus, noticeDue, orderBackOffMs, renewalAt } from './certificates/life.ts'
export { type Choosable, chooseCertificates, covers } from './certificates/names.ts'
export {
  type Capability,
  type Compatibility,
  type DeliverySettings,
  compatibility,
  settingsAgainst,
  isOnTheEdge,
  isShielded,
  mayBypassShield,
} from './cdns/compatible.ts'
export { type Constant, type ConstantName, type Constants, CONSTANTS } from './capacity/constants.ts'
export {
  type CapacityPlan,
  type CapacityRole,
  type Demand,
  type MachineKind,
  CAPACITY_ROLES,
  DEFAULT_DEMAND,
  DEFAULT_MACHINE,
  needsOf,
  planCapacity,
} from './capacity/plan-capacity.ts'
export { type CdnAbilities, type DeliveryIntent, compileFor } from './cdns/compile.ts'
export { expiryOf, expirySeconds, isPlainExpiry } from './cdns/expiry.ts'
export { type PurgedDomain, purgeTargets } from './cdns/purge-targets.ts'
export { canonicalIpv6, isIpv4, isIpv6 } from './dns/addresses.ts'
export { isBogon, isPublicAddress } from './dns/bogon.ts'
export {
  type AddressSet,
  addressSets,
  edgeAddressSets,
  type HouseMachine,
  nameserverAddressSets,
} from './dns/house-addresses.ts'
export { type AnswerSet, compareAnswers, isDifference } from './dns/compare-answers.ts'
export { type DelegationFacts, delegationProblem, delegationRequirements } from './dns/delegation.ts'
export { type FetchedRecord, type FetchedZoneProblem, fetchedRecord, siteOfPrimary } from './dns/fetched-zone.ts'
export {
  type DomainCandidate,
  type RawRecord,
  type ReviewRecord,
  allowedTtl,
  chosenRecords,
  domainCandidates,
  reviewProblem,
  reviewRecord,
} from './dns/found-records.ts'
export { isProxied } from './dns/proxied.ts'
export { absoluteName, isAliasTarget, isAtOrUnder, isHostName, relativeName, targetName } from './dns/names.ts'
export {
  MOST_PATCHED_VERSIONS,
  PATCHED_FROM_SETS,
  isToBeFolded,
  mostPatchedNames,
  patchedZone,
} from './dns/patch-zone.ts'
export { type SecondaryServer, SECONDARY_SERVERS, secondaryConfig } from './dns/secondary-configs.ts'
export { siteNameProblem } from './dns/site-eligibility.ts'
export { type RecordHint, recordHints } from './dns/record-hints.ts'
export { tidyRecord, valueOfRdata } from './dns/record-values.ts'
export { isRootDomain, isSpecialUse } from './dns/site-name.ts'
export { type DnssecFacts, type DnssecStep, dnssecStep } from './dns/dnssec-step.ts'
export { rdataBytes } from './dns/rdata/rdata.ts'
export {
  type WireRecord,
  AUTO_TTL_SECONDS,
  STEERED_TTL_SECONDS,
  canHaveWeight,
  toAliases,
  toRdata,
  toRrsets,
  zoneFileLine,
} from './dns/to-rrsets.ts'
export { namesToFlatten } from './dns/transfer-form.ts'
export { quoteTxt, txtStrings } from './dns/txt.ts'
export { type FieldProblem, TXT_BYTES, validateRecord } from './dns/validate-record.ts'
export { type ZoneProblem, type ZoneProblemWithCauses, validateZone, zoneProblems } from './dns/validate-zone.ts'
export { exportZone } from './dns/zone-file/export-zone.ts'
export {
  type ClaimNow,
  type ClaimRules,
  type ClaimStep,
  type NameHeld,
  type NameSeen,
  UNPROVEN_DAYS,
  KEPT_DAYS,
  claimUntil,
  firstStep,
  nextStep,
} from './names/claim-step.ts'
export { proofRecordName } from './names/proof-record.ts'
export { type NameserverPair, type PairLot, drawPair, samePair } from './names/nameserver-pairs.ts'
export {
  type EventTraits,
  type NotificationEvent,
  type NotificationEvents,
  EVENTS,
  isNotificationEvent,
} from './notifications/events.ts'
export { notificationWords } from './notifications/notification-words.ts'
export { placeOf } from './notifications/place-of.ts'
export { DEFAULT_PREFERENCE, allPreferences, comesByMail } from './notifications/preferences.ts'
export { MAIL_RETRY_SECONDS, WEBHOOK_RETRY_SECONDS, retryAfter } from './notifications/retry.ts'
export type { NotificationWords } from './notifications/words/event-words.ts'
export { readFileRecords } from './dns/zone-file/file-record.ts'
export type { FileRecord } from './dns/zone-file/file-records.ts'
export { type CurrentRecord, type ImportPlan, planImport } from './dns/zone-file/plan-import.ts'
export { type ZoneFile, type ZoneFileRecord, readZoneFile } from './dns/zone-file/read-zone-file.ts'
export { type SplitZoneFile, splitZoneFile } from './dns/zone-file/split-zone-file.ts'
export { mostUrgent, powerUpStatus, statesOfStatus } from './power-ups/power-up-status.ts'
export { canBeOnPlan } from './plans/can-be-on-plan.ts'
export { type PageBrand, defaultPage } from './pages/default-page.ts'
export { PAGE_BOXES, PAGE_TOKENS, checkPage, fillPage } from './pages/page-tokens.ts'
export { type RecordPlan, METHOD_FEATURES, canHoldRecord, canUse, canUseStrategy, canUseTtl } from './plans/can-use.ts'
export {
  type IpNetwork,
  contains,
  decidingBits,
  parseAddress,
  parseCidr,
  parseVisitorAddress,
} from './steering/cidr.ts'
export { COUNTRY_CODES, continentOf } from './steering/continents.ts'
export { counterfactuals } from './steering/counterfactuals.ts'
export { type RouteDecision, decidedPlaces, routeMap, sameShares } from './steering/route-map.ts'
export {
  type FeedCdnFigures,
  type OwnObjects,
  answersPercent,
  fedDecisions,
  feedDifferences,
  feedOf,
  ignoredSources,
  movesOfOutside,
  movesOfSwitch,
  policyWithFeed,
} from './steering/data-feeds.ts'
export { FEED_SNIPPETS, type FeedSnippet, feedSnippets } from './steering/feed-snippets.ts'
export {
  OUTSIDE_SHARE,
  agreesWithOthers,
  contradictsItself,
  isContradicting,
  keptName,
  outsideEntry,
  takeEntry,
  withOutside,
  type KeptEntry,
  type OutsideEntry,
} from './steering/outside-feeds.ts'
export { decide, isStale } from './steering/decide.ts'
export { type CaseProblem, caseProblems, decideCase } from './steering/decide-case.ts'
export { type StrategyProblem, strategyProblem } from './steering/strategy-problems.ts'
export {
  type Condition,
  type ConditionState,
  USUAL_THRESHOLD,
  conditionOf,
  worstCondition,
} from './health/condition.ts'
export {
  type Part,
  type Tally,
  availabilityOf,
  contradictingPart,
  contradicts,
  heardOthers,
  sumOf,
} from './steering/disagreement.ts'
export { CHECKS_OF_NODE, type Check, hardFailure, isCheckFresh } from './steering/hard-failure.ts'
export {
  type InfluenceCaps,
  type InfluenceShares,
  type Voice,
  UNTOLD_SUBNET,
  influenceCaps,
  sharesAt,
} from './steering/influence.ts'
export { isEmptyFilter, mismatch } from './steering/match.ts'
export { isInside, parsePlace, parseScoreKey } from './steering/parse-place.ts'
export { type LocationKeys, type Place, formatPlace, levelOf, locationKeys, scoreKeys } from './steering/places.ts'
export { policyCidrs, settlingBits } from './steering/policy-cidrs.ts'
export { type PolicyIndex, policyIndex, projectLocation } from './steering/project.ts'
export { type Outage, type Return, beginReturn, isDuring, stepReturn } from './steering/return-steps.ts'
export { type UnreachableStrategy, overlappingStrategies, unreachableStrategies } from './steering/reachability.ts'
export {
  type WindowStatistics,
  SMOOTHING_HALF_LIFE_MS,
  isPlausibleRtt,
  smooth,
  smoothFigure,
} from './steering/score.ts'
export { percentages } from './steering/shares.ts'
export { type DecideInput, rankedLatency } from './steering/situation.ts'
export { type ObjectSeen, isObjectAtFault, isObjectRight, judgeObject } from './private-data/judge-object.ts'
export { addUpSeen } from './pulse/add-up-seen.ts'
export { hostOfOrigin, isBoundHost } from './pulse/host-bound.ts'
export { type SnippetInput, pulseCsp, pulseSnippets } from './pulse/snippets.ts'
export { type Rung, type TextTrack, costOf, ladderOf, masterPlaylist, textPlaylist, timedText } from './media/ladder.ts'
export { type PresentedText, type PresentedTrack, mediaPresentation } from './media/media-presentation.ts'
export { type LivePeriod, type LiveQuality, type LiveTrack, livePresentation } from './media/live-presentation.ts'
export { balancedPresentation, enteredPresentation, queriedPresentation } from './media/balanced-presentation.ts'
export { imageFormat } from './media/image-format.ts'
export { readRange } from './media/byte-range.ts'
export { type Sprite, spriteOf, tileAt } from './media/sprite.ts'
export { chaptersJson, chaptersVtt, inOrder, oddChapter } from './media/chapters.ts'
export { isCaptionProblem, readCaptions } from './media/captions/read.ts'
export {
  GRACE_SECONDS,
  adviseInput,
  liveLadder,
  mayReshape,
  maySwitch,
  segmentSecondsOf,
  transcoderStatus,
} from './media/live.ts'
export {
  type LivePlaylist,
  type LiveSegment,
  emptyLivePlaylist,
  readLivePlaylist,
  renewed,
  withSegment,
  writeLivePlaylist,
} from './media/live-playlist.ts'
export {
  type LiveEdge,
  type LivePart,
  RELOAD_WAIT,
  isWaitedFor,
  partFrames,
  readDirectives,
  reloadOf,
  trimmedParts,
  lowLatencyPlaylist,
  wholeEdge,
  type PlaylistPieces,
} from './media/low-latency.ts'
export {
  type OriginProblem,
  type OriginSegment,
  MOST_PLAYLIST_BYTES,
  bestVariant,
  newSegments,
  originUrl,
  readOriginPlaylist,
} from './media/origin-playlist.ts'
export {
  type RecordedSegment,
  readRecorded,
  recordedLine,
  recordedMap,
  recordedName,
  recordedPlaylists,
  recordingName,
} from './media/recording.ts'
export {
  type BalanceEntry,
  STEERING_TTL_SECONDS,
  balancePolicy,
  nextPoint,
  simulateSessions,
  steerPlayer,
  steeringManifest,
} from './media/balance.ts'
export { ENTRY_PATHWAY, balancedPlaylist, enteredPlaylist, isOfFile } from './media/balanced-playlist.ts'
export { type DeviceKind, deviceOf } from './stream-analytics/device-of.ts'
export {
  type ExperienceFacts,
  REBUFFER_POINTS,
  STALLS_MOST,
  STALL_POINTS,
  START_FREE_MS,
  START_MOST,
  START_POINTS,
  experienceScore,
} from './stream-analytics/experience-score.ts'
export { readCmcd } from './stream-analytics/read-cmcd.ts'
export { type StallFacts, type StallReason, stallCause } from './stream-analytics/stall-cause.ts'
export { type ViewRecord, viewMoments } from './stream-analytics/view-moments.ts'
export { CONTROL_PERCENT, LEAST_VIEWS, type PeerCounts, judgePeers, waitedPercent } from './peers/guard.ts'
export { isDataSession } from './peers/is-data-session.ts'
export { phoneCodeOf } from './text/phone-code.ts'
export { redact } from './text/redact.ts'
export { judgeRecord, mergedSpf } from './white-label/judge-record.ts'
export { type LeakFacts, leaksOf, standingOf } from './white-label/standing.ts'
export { type WantedRecord, type WhiteLabelFacts, anyCdnName, wantedRecords } from './white-label/wanted-records.ts'
export { inverse, netChanges } from './versions/net-changes.ts'
export { accessJudge, networkJudges } from './web-security/access-effect.ts'
export { accessRemarks, isNobodys, readAccessBlock } from './web-security/access-remarks.ts'
export { isAttack, isAttackOver } from './web-security/attack.ts'
export { backTester } from './web-security/back-test.ts'
export { backTestReport } from './web-security/back-test-report.ts'
export {
  challengesOf,
  costsPeople,
  frictionStep,
  softened,
  type Softening,
  softerMode,
} from './web-security/friction.ts'
export {
  afterUndoing,
  type Coding,
  codingsOf,
  type Opened,
  type Undone,
  unopened,
} from './web-security/content-coding.ts'
export { crawlerName } from './web-security/crawlers.ts'
export { compile as compileSecurity, shortestBlock } from './web-security/compile.ts'
export { TOO_MANY_ARGUMENTS, TOO_MANY_FINDINGS } from './web-security/rule-sets/judge.ts'
export { CRS_BEGINNING, CRS_DEFAULTS, defaultActionOf, HINTS } from './web-security/rule-sets/defaults.ts'
export { hasHostileEntities, isXml } from './web-security/rule-sets/xml-entities.ts'
export { readFindings, type Finding, type Inspection } from './web-security/rule-sets/findings.ts'
export {
  catalogOf,
  isInspecting,
  SCORES,
  SEVERITY_SCORES,
  type CatalogRule,
} from './web-security/rule-sets/rule-catalog.ts'
export { expressionProblems, operatorsOf } from './web-security/expression-problems.ts'
export { expressionText, isExpression, parseExpression } from './web-security/expression-text.ts'
export { shadowedBy } from './web-security/shadowed.ts'
export { headerConflicts, type HeaderConflict } from './web-security/header-conflicts.ts'
export { FORM_BOUNDARY, hexOf, TRIAL_CARRIERS, trialSample, type TrialSample } from './attack-trial/carriers.ts'
export { type TrialRequest, trialRequests } from './attack-trial/catalogue.ts'
export { attackTrialReport, stricterInspections, stricterSettings } from './attack-trial/report.ts'
export { ATTACK_PAYLOADS, HARMLESS_TEXTS, HEADER_INJECTIONS, PROBES, SCANNERS } from './attack-trial/texts.ts'
export {
  emptyApi,
  learn,
  type LearnedApi,
  type Observation,
  readLearned,
} from './web-security/api-schema/learned-api.ts'
export { endpointId, type LearnedEndpoint, learnedEndpoints } from './web-security/api-schema/learned-endpoints.ts'
export { openApiOf } from './web-security/api-schema/open-api.ts'
export { endpointRows, frozen, NO_SCHEMA, schemaEndpoint, sorted } from './web-security/api-schema/schema-in-force.ts'
export { schemaJudge, type SchemaJudged } from './web-security/api-schema/judge-shape.ts'
export { type TokenScript, tokenScript } from './api-protection/token-script.ts'
export { isStaticPath } from './web-security/static-path.ts'
export { type Content, kindOf } from './web-security/api-schema/shape.ts'
export { CONTENT_BYTES, PARTS_BYTES } from './web-security/api-schema/part-fields.ts'
export { READ_AS } from './web-security/rule-sets/read-as.ts'
export { hidesAscii } from './web-security/rule-sets/charsets.ts'
export { revealed } from './web-security/rule-sets/revealed.ts'
export { ownFinding, shown } from './web-security/rule-sets/shown.ts'
export { BOT_BEGINNING, BOT_DEFAULTS, tryRequest, withApiKeys } from './web-security/try-request.ts'
export { inBytes } from './web-security/utf8.ts'
export {
  type PathToken,
  type PathTokenCheck,
  type PathTokenRefusal,
  type SignedRequest,
  type TokenCheck,
  type TokenClaims,
  type TokenRefusal,
  type TokenVerdict,
  type TokenWorld,
  EMBED_FOLDER,
  PATH_TOKEN_REFUSALS,
  PLAYER_FOLDER,
  PLAYER_SCRIPT,
  QUERIED_MARK,
  TOKEN_REFUSALS,
  embedPath,
  foldersOf,
  judgePathToken,
  judgeToken,
  macTextOf,
  pathTokenText,
  splitPath,
} from './signed-urls/runtime.ts'
export { type SignScript, KEY_FILE, signScript } from './signed-urls/sign-script.ts'
export { cloudfrontScript } from './signed-urls/cloudfront-script.ts'
export {
  type CloudfrontCheck,
  CLOUDFRONT_REFUSALS,
  cannedPolicy,
  isForCloudfront,
  judgeCloudfront,
} from './signed-urls/cloudfront-policy.ts'
export { CLOUDFRONT_PARAMETERS, queriedPlaylist } from './signed-urls/queried-playlist.ts'
export { type ChosenRegion, chooseRegion, medianOf } from './shield-regions/choose-region.ts'
