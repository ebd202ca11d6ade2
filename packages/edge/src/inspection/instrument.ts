import { LIMITS } from '@fairway/contract'
import { isInspecting, READ_AS, SCORES, TOO_MANY_ARGUMENTS, TOO_MANY_FINDINGS } from '@fairway/domain'

/** How much of a rule set is asked. */
export const SCOPES = ['full', 'sets'] as const
export const LEVELS = [1, 2, 3, 4] as const

/** Marks of ours are told apart from the rule set's own by these names and by rule numbers from here on. */
const OURS = 9_700_000

/** Rules beyond the three sets. */
const isBeyondSets = (name: string): boolean => /^REQUEST-9(?:11|13|2\d)/.test(name)

export type RuleFile = { name: string; text: string }

/**
 * A rule set that answers with what it has found instead of deciding: each rule that adds to a score also notes its
 * number, the score and the place. One such set serves all domains; what findings come to is decided by each domain's
 * own settings. Line numbers stay as they are in the files.
 */
export function instrument(files: readonly RuleFile[]): RuleFile[] {
  return files
    .filter(({ name }) => name.endsWith('.data') || isInspecting(name))
    .map(({ name, text }) => ({ name, text: name.endsWith('.conf') ? noting(text) : text }))
}

function noting(text: string): string {
  let ruleId = ''
  // What is captured is only this rule's when it says that it captures.
  let captures = false
  return (
    text
      .split('\n')
      // Attributes of XML hold values as elements do.
      .map((line) => line.replace(/^(\s*SecRule\s[^"]*XML:\/\*)(?=[\s|])/, '$1|XML://@*'))
      .map((line) => {
        if (line.trimStart().startsWith('#')) return line
        // Keeps something of each visitor between requests; what is found must be the request's alone.
        if (/^\s*initcol:[^,]*,\\$/.test(line)) return '    nolog,\\'
        const id = /(?:^|[",\s])id:'?(\d{1,9})/.exec(line)
        if (id) {
          ruleId = id[1] ?? ''
          captures = false
        }
        if (/(?:^|[",\s])capture(?:[,"]|\s|$)/.test(line)) captures = true
        const score = SCORES.exec(line)
        if (!score || ruleId === '') return line
        const weight = `%{tx.${(score[2] ?? '').toLowerCase()}_anomaly_score}`
        const place = `%{MATCHED_VAR_NAME}${captures ? ' %{TX.0}' : ''}`
        return line.replace(
          score[0],
          `${score[0]},setvar:tx.fw_n=+1,setvar:'tx.fw_p_%{tx.fw_n}=${ruleId} ${weight} ${place}',setvar:'tx.fw_r_${ruleId}=${ruleId} ${weight}'`,
        )
      })
      .join('\n')
  )
}

/** Beyond so many findings only their rules are told. */
const MOST_PLACES = 60
/** Beyond so many nothing more is looked for: an attack is one long before, and looking further costs seconds. */
const MOST_FINDINGS = 200
/** Hexadecimal digits of one finding. */
const MOST_DIGITS = 320

/** What is loaded: our settings, the rules in their order, and the answer. `folder` holds the files. */
export function mainFile(files: readonly RuleFile[], folder: string, temp: string): string {
  const rules = files.filter(({ name }) => name.endsWith('.conf'))
  return `SecRuleEngine On
SecRequestBodyAccess On
SecResponseBodyAccess Off
SecRequestBodyLimit 4194304
SecRequestBodyNoFilesLimit 4194304
SecRequestBodyLimitAction ProcessPartial
SecRequestBodyJsonDepthLimit 128
SecArgumentSeparator &
SecCookieFormat 0
SecTmpDir ${temp}
SecDataDir ${temp}
SecAuditEngine Off
SecDefaultAction "phase:1,nolog,noauditlog,pass"
SecDefaultAction "phase:2,nolog,noauditlog,pass"
SecAction "id:${OURS + 1},phase:1,nolog,pass,t:none,setvar:tx.fw_n=0,setvar:tx.crs_setup_version=400,setvar:'tx.allowed_methods=${METHODS}',setvar:'tx.allowed_request_content_type=${MEDIA_TYPES}',setvar:'tx.allowed_request_content_type_charset=${CHARSETS}'"
SecRule UNIQUE_ID "@rx ^(full|sets)[.]([1-4])$" "id:${OURS + 2},phase:1,nolog,pass,t:none,capture,setvar:tx.fw_scope=%{TX.1},setvar:tx.paranoia_level=%{TX.2},setvar:tx.executing_paranoia_level=%{TX.2},setvar:tx.blocking_paranoia_level=%{TX.2},setvar:tx.detection_paranoia_level=%{TX.2}"
SecRule REQUEST_HEADERS:Content-Type "@rx (?i)^(?:application(?:/soap\\+|/)|text/)xml|^application/[\\w.-]+\\+xml" "id:${OURS + 3},phase:1,nolog,pass,t:none,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "@rx (?i)^(?:application|text)/(?:[\\w.-]+\\+)?json(?:[;\\s]|$)" "id:${OURS + 4},phase:1,nolog,pass,t:none,ctl:requestBodyProcessor=JSON"
SecRule REQUEST_HEADERS:${READ_AS} "@streq JSON" "id:${OURS + 13},phase:1,nolog,pass,t:none,ctl:requestBodyProcessor=JSON"
SecRule REQUEST_HEADERS:${READ_AS} "@streq XML" "id:${OURS + 15},phase:1,nolog,pass,t:none,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:${READ_AS} "@streq URLENCODED" "id:${OURS + 14},phase:1,nolog,pass,t:none,ctl:requestBodyProcessor=URLENCODED"
SecRule &ARGS "@gt ${LIMITS.crs.arguments}" "id:${OURS + 12},phase:2,nolog,pass,t:none,${found(TOO_MANY_ARGUMENTS)},skipAfter:FAIRWAY-INSPECTED"
${rules.map((file, at) => included(file, folder, at)).join('\n')}
SecMarker FAIRWAY-INSPECTED
SecRule REQBODY_ERROR "!@eq 0" "id:${OURS + 5},phase:2,nolog,pass,t:none,${found('200002')}"
SecRule MULTIPART_STRICT_ERROR "!@eq 0" "id:${OURS + 6},phase:2,nolog,pass,t:none,${found('200003')}"
SecRule MULTIPART_UNMATCHED_BOUNDARY "@eq 1" "id:${OURS + 7},phase:2,nolog,pass,t:none,${found('200004')}"
SecRule TX:fw_n "@gt ${MOST_PLACES}" "id:${OURS + 8},phase:2,nolog,pass,t:none,setvar:tx.fw_many=1,skipAfter:FAIRWAY-RULES"
SecRule TX:/^fw_p_/ "@rx ^[0-9a-f]{1,${MOST_DIGITS}}" "id:${OURS + 9},phase:2,nolog,pass,t:none,t:hexEncode,capture,setvar:'tx.fw_places=%{tx.fw_places}.%{TX.0}'"
SecMarker FAIRWAY-RULES
SecRule TX:/^fw_r_/ "@rx ^[0-9a-f]{1,${MOST_DIGITS}}" "id:${OURS + 10},phase:2,nolog,pass,t:none,t:hexEncode,capture,setvar:'tx.fw_rules=%{tx.fw_rules}.%{TX.0}'"
SecAction "id:${OURS + 11},phase:2,nolog,t:none,status:302,redirect:'found:%{tx.fw_n},%{tx.fw_many},%{tx.fw_places},%{tx.fw_rules}'"
`
}

// What websites and APIs are spoken to with, beyond the rule set's own short lists.
const METHODS = 'GET HEAD POST OPTIONS PUT PATCH DELETE'
/** As 4.x writes its list; to 3.x it says that any will do. Which hide something, `charsets.ts` knows. */
const CHARSETS =
  '|utf-8|utf8|us-ascii|iso-8859-1|iso-8859-15|windows-1250|windows-1251|windows-1252|gbk|gb2312|gb18030|big5|shift_jis|euc-jp|euc-kr|'
const MEDIA_TYPES = [
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/related',
  'multipart/mixed',
  'text/xml',
  'text/plain',
  'text/csv',
  'text/json',
  'application/xml',
  'application/soap+xml',
  'application/json',
  'application/ld+json',
  'application/vnd.api+json',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/activity+json',
  'application/graphql',
  'application/x-ndjson',
  'application/csp-report',
  'application/reports+json',
  'application/cloudevents+json',
  'application/cloudevents-batch+json',
  'application/octet-stream',
]
  .map((type) => `|${type}|`)
  .join(' ')

/** Notes something of ours as a rule of the set notes what it finds. */
const found = (ruleId: string): string =>
  `setvar:tx.fw_n=+1,setvar:'tx.fw_p_%{tx.fw_n}=${ruleId} 5 REQUEST_BODY',setvar:'tx.fw_r_${ruleId}=${ruleId} 5'`

function included({ name }: RuleFile, folder: string, at: number): string {
  const include = `Include ${folder}/${name}`
  // Each file ends the look once it is enough; within a file the number of arguments is the bound.
  const enough = `SecRule TX:fw_n "@gt ${MOST_FINDINGS}" "id:${OURS + 300 + at},phase:2,nolog,pass,t:none,${found(TOO_MANY_FINDINGS)},skipAfter:FAIRWAY-INSPECTED"`
  if (!isBeyondSets(name)) return `${include}\n${enough}`
  const skip = (phase: number) =>
    `SecRule TX:fw_scope "@streq sets" "id:${OURS + 100 + at * 2 + phase},phase:${phase},nolog,pass,t:none,skipAfter:FAIRWAY-AFTER-${at}"`
  return `${skip(1)}\n${skip(2)}\n${include}\n${enough}\nSecMarker FAIRWAY-AFTER-${at}`
}
